-- Events that take the place of others, and logs that begin with another's events.

CREATE TABLE placements (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  session_id TEXT COLLATE "C" NOT NULL, -- the log
  seq BIGINT NOT NULL, -- the event that replaces or cites others
  low BIGINT, -- the event whose place on the surface the replaced range begins with; null if it only cites
  high BIGINT, -- the event whose place it ends with
  cites TEXT COLLATE "C" NOT NULL, -- numbers of the events it was made from, between blanks
  PRIMARY KEY (tenant, session_id, seq)
);

ALTER TABLE sessions ADD COLUMN seed_length BIGINT; -- how many events it began with that are its parent's
