-- What is folded from a log is kept, so that the next look reads only what came since.

CREATE TABLE projections (
  tenant TEXT NOT NULL, -- whose installation
  session_id TEXT NOT NULL, -- the log
  name TEXT NOT NULL, -- which fold
  version INTEGER NOT NULL, -- of the fold: a row of another one is not used
  seq INTEGER NOT NULL, -- how many events were folded
  chain BLOB NOT NULL, -- the chain after them: a log with another one was not folded
  state TEXT NOT NULL, -- the state, JSON
  PRIMARY KEY (tenant, session_id, name)
) STRICT, WITHOUT ROWID;
