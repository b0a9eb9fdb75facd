-- Events that take the place of others, and logs that begin with another's events.

CREATE TABLE placements (
  tenant TEXT NOT NULL, -- whose installation
  session_id TEXT NOT NULL, -- the log
  seq INTEGER NOT NULL, -- the event that replaces or cites others
  low INTEGER, -- the event whose place on the surface the replaced range begins with; null if it only cites
  high INTEGER, -- the event whose place it ends with
  cites TEXT NOT NULL, -- numbers of the events it was made from, between blanks
  PRIMARY KEY (tenant, session_id, seq)
) STRICT, WITHOUT ROWID;

ALTER TABLE sessions ADD COLUMN seed_length INTEGER; -- how many events it began with that are its parent's
