-- What is to be indexed is found without looking at every session.

ALTER TABLE sessions ADD COLUMN indexed BIGINT NOT NULL DEFAULT 0; -- events below this number are in the index
UPDATE sessions SET indexed = coalesce(
  (SELECT c.seq FROM cursors c WHERE c.tenant = sessions.tenant AND c.session_id = sessions.session_id
    AND c.name = 'index-1'), 0);
DROP TABLE cursors;
-- the logs that the index is behind on, oldest activity first
CREATE INDEX sessions_pending ON sessions (tenant, recorded_at, session_id) WHERE next_seq > indexed AND status = 'ok';
