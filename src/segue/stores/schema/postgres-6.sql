-- What is folded from a log is kept, so that the next look reads only what came since.

CREATE TABLE projections (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  session_id TEXT COLLATE "C" NOT NULL, -- the log
  name TEXT COLLATE "C" NOT NULL, -- which fold
  version BIGINT NOT NULL, -- of the fold: a row of another one is not used
  seq BIGINT NOT NULL, -- how many events were folded
  chain BYTEA NOT NULL, -- the chain after them: a log with another one was not folded
  state TEXT COLLATE "C" NOT NULL, -- the state, JSON
  PRIMARY KEY (tenant, session_id, name)
);
