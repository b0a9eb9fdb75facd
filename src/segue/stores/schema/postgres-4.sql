-- What was deleted and must not come back, what is put aside, and the record of who did it.

CREATE TABLE tombstones (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  digest BYTEA NOT NULL, -- keyed digest of the session's id: it tells nothing without the store's key
  project_id TEXT COLLATE "C" NOT NULL, -- where the session took place
  principal_id TEXT COLLATE "C" NOT NULL, -- whose it was
  created_at TEXT COLLATE "C" NOT NULL, -- when it was deleted
  events BIGINT NOT NULL, -- how many events it had
  reason TEXT COLLATE "C" NOT NULL, -- why, in one word
  PRIMARY KEY (tenant, digest)
);

CREATE TABLE rewrites (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  session_id TEXT COLLATE "C" NOT NULL, -- the log
  seq BIGINT NOT NULL, -- the event of whose text a part was deleted
  digest BYTEA NOT NULL, -- SHA-256 of the new salt, subject and body; the chain keeps that of the first ones
  PRIMARY KEY (tenant, session_id, seq)
);

CREATE TABLE audit (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  audit_no BIGINT NOT NULL, -- from 0, without gaps
  recorded_at TEXT COLLATE "C" NOT NULL, -- when
  principal_id TEXT COLLATE "C" NOT NULL, -- who
  project_id TEXT COLLATE "C" NOT NULL, -- where
  act TEXT COLLATE "C" NOT NULL, -- delete, archive, restore, hold, release or retain
  target BYTEA NOT NULL, -- keyed digest of the session's id
  reason TEXT COLLATE "C" NOT NULL, -- why, in one word
  counts TEXT COLLATE "C" NOT NULL, -- how much of what, JSON
  chain BYTEA NOT NULL, -- SHA-256 of the previous chain and the fields above
  PRIMARY KEY (tenant, audit_no)
);

ALTER TABLE sessions ADD COLUMN archived_at TEXT COLLATE "C"; -- when it was put aside; null while it is not
ALTER TABLE sessions ADD COLUMN held_at TEXT COLLATE "C"; -- since when no retention may delete it; null while one may
-- what is put aside
CREATE INDEX sessions_archived ON sessions (tenant, session_id) WHERE archived_at IS NOT NULL;
