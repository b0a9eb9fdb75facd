-- What was deleted and must not come back, what is put aside, and the record of who did it.

CREATE TABLE tombstones (
  tenant TEXT NOT NULL, -- whose installation
  digest BLOB NOT NULL, -- keyed digest of the session's id: it tells nothing without the store's key
  project_id TEXT NOT NULL, -- where the session took place
  principal_id TEXT NOT NULL, -- whose it was
  created_at TEXT NOT NULL, -- when it was deleted
  events INTEGER NOT NULL, -- how many events it had
  reason TEXT NOT NULL, -- why, in one word
  PRIMARY KEY (tenant, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE rewrites (
  tenant TEXT NOT NULL, -- whose installation
  session_id TEXT NOT NULL, -- the log
  seq INTEGER NOT NULL, -- the event of whose text a part was deleted
  digest BLOB NOT NULL, -- SHA-256 of the new salt, subject and body; the chain keeps that of the first ones
  PRIMARY KEY (tenant, session_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  tenant TEXT NOT NULL, -- whose installation
  audit_no INTEGER NOT NULL, -- from 0, without gaps
  recorded_at TEXT NOT NULL, -- when
  principal_id TEXT NOT NULL, -- who
  project_id TEXT NOT NULL, -- where
  act TEXT NOT NULL, -- delete, archive, restore, hold, release or retain
  target BLOB NOT NULL, -- keyed digest of the session's id
  reason TEXT NOT NULL, -- why, in one word
  counts TEXT NOT NULL, -- how much of what, JSON
  chain BLOB NOT NULL, -- SHA-256 of the previous chain and the fields above
  PRIMARY KEY (tenant, audit_no)
) STRICT, WITHOUT ROWID;

ALTER TABLE sessions ADD COLUMN archived_at TEXT; -- when it was put aside; null while it is not
ALTER TABLE sessions ADD COLUMN held_at TEXT; -- since when no retention may delete it; null while one may
-- what is put aside
CREATE INDEX sessions_archived ON sessions (tenant, session_id) WHERE archived_at IS NOT NULL;
