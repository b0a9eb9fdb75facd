-- The schema on PostgreSQL. Text compares by code point, as on SQLite, whatever the database's collation. Times are UTC text, YYYY-MM-DDTHH:MM:SS.mmmZ. Every primary key begins with the tenant.

CREATE TABLE store_meta (
  name TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- what is kept: dedupe_key
  value TEXT COLLATE "C" NOT NULL -- its value
);

CREATE TABLE principals (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  principal_id TEXT COLLATE "C" NOT NULL, -- who: the OS user locally
  created_at TEXT COLLATE "C" NOT NULL, -- first seen
  PRIMARY KEY (tenant, principal_id)
);

CREATE TABLE projects (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  project_id TEXT COLLATE "C" NOT NULL, -- digest of kind and identity
  kind TEXT COLLATE "C" NOT NULL, -- remote, git, directory or none
  identity TEXT COLLATE "C" NOT NULL, -- normalised remote, git common directory, or directory
  name TEXT COLLATE "C" NOT NULL, -- what people call it: the last part of the identity
  created_at TEXT COLLATE "C" NOT NULL, -- first seen
  PRIMARY KEY (tenant, project_id)
);

CREATE TABLE project_roots (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  project_id TEXT COLLATE "C" NOT NULL, -- the project
  root TEXT COLLATE "C" NOT NULL, -- a directory where it was seen (worktrees and clones have their own)
  created_at TEXT COLLATE "C" NOT NULL, -- first seen there
  PRIMARY KEY (tenant, project_id, root)
);

CREATE TABLE sessions (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  session_id TEXT COLLATE "C" NOT NULL, -- host:host session id, and /agent-ID for a subagent
  project_id TEXT COLLATE "C" NOT NULL, -- where it took place
  principal_id TEXT COLLATE "C" NOT NULL, -- its owner
  visibility TEXT COLLATE "C" NOT NULL, -- private or project
  host TEXT COLLATE "C" NOT NULL, -- which program ran it
  host_session_id TEXT COLLATE "C" NOT NULL, -- the program's own id
  agent_id TEXT COLLATE "C", -- the subagent, if it is one
  agent_type TEXT COLLATE "C", -- the subagent's kind
  parent_id TEXT COLLATE "C", -- the session that started it
  cwd TEXT COLLATE "C", -- working directory, redacted
  branch TEXT COLLATE "C", -- git branch at the start
  model TEXT COLLATE "C", -- the model the host named
  title TEXT COLLATE "C", -- the host's title
  started_at TEXT COLLATE "C" NOT NULL, -- time of its first event
  last_event_at TEXT COLLATE "C" NOT NULL, -- time of its latest event
  recorded_at TEXT COLLATE "C" NOT NULL, -- when Segue last wrote to it
  next_seq BIGINT NOT NULL, -- the number of its events
  head BYTEA NOT NULL, -- end of the hash chain
  status TEXT COLLATE "C" NOT NULL, -- ok or quarantined
  problem TEXT COLLATE "C", -- why it is quarantined
  PRIMARY KEY (tenant, session_id)
);
-- the latest sessions of a project
CREATE INDEX sessions_by_project ON sessions (tenant, project_id, last_event_at);
-- the subagents of a session
CREATE INDEX sessions_by_parent ON sessions (tenant, parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE events (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  session_id TEXT COLLATE "C" NOT NULL, -- its log
  seq BIGINT NOT NULL, -- from 0, without gaps
  type TEXT COLLATE "C" NOT NULL, -- user/message, tool/result, …
  surface TEXT COLLATE "C" NOT NULL, -- current, shadowed or log-only
  origin TEXT COLLATE "C" NOT NULL, -- user, tool, model, host_summary, host, web or segue
  event_time TEXT COLLATE "C" NOT NULL, -- when it happened
  recorded_at TEXT COLLATE "C" NOT NULL, -- when Segue stored it
  action TEXT COLLATE "C", -- class of tool work: command, edit, read, …
  outcome TEXT COLLATE "C", -- ok, failed or unknown, as the host said
  dedupe BYTEA, -- keyed digest of the host's id of it; null if it had none
  body_digest BYTEA NOT NULL, -- SHA-256 of salt, subject and body
  chain BYTEA NOT NULL, -- SHA-256 of the previous chain, the fields above and body_digest
  salt BYTEA, -- 16 random bytes; null once the body was deleted
  size BIGINT NOT NULL, -- bytes of the body when it was written
  subject TEXT COLLATE "C", -- the one line that names the work: command or path
  body TEXT COLLATE "C", -- redacted JSON; null once deleted
  PRIMARY KEY (tenant, session_id, seq)
);
-- fold what live capture and import both saw
CREATE UNIQUE INDEX events_by_dedupe ON events (tenant, dedupe) WHERE dedupe IS NOT NULL;
-- the latest commands and edits of a session
CREATE INDEX events_by_action ON events (tenant, session_id, action, seq) WHERE action IS NOT NULL AND type = 'tool/result';
-- the latest prompts, answers and summaries of a session
CREATE INDEX events_by_type ON events (tenant, session_id, type, seq) WHERE action IS NULL;

CREATE TABLE index_scopes (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  scope_no BIGINT NOT NULL, -- the upper bits of a docid
  project_id TEXT COLLATE "C" NOT NULL, -- which project
  principal_id TEXT COLLATE "C" NOT NULL, -- which owner
  visibility TEXT COLLATE "C" NOT NULL, -- private or project
  PRIMARY KEY (tenant, scope_no),
  UNIQUE (tenant, project_id, principal_id, visibility)
);

CREATE TABLE event_docs (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  docid BIGINT NOT NULL, -- scope_no * 2^40 + n: a scope is one range of docids
  session_id TEXT COLLATE "C" NOT NULL, -- the indexed event
  seq BIGINT NOT NULL, -- the indexed event
  type TEXT COLLATE "C" NOT NULL, -- its type
  surface TEXT COLLATE "C" NOT NULL, -- its surface
  event_time TEXT COLLATE "C" NOT NULL, -- its time
  words tsvector NOT NULL, -- the words of the event and the parts of joined identifiers
  PRIMARY KEY (tenant, docid),
  UNIQUE (tenant, session_id, seq)
);
-- text match
CREATE INDEX event_docs_by_words ON event_docs USING gin (words);

CREATE TABLE cursors (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  name TEXT COLLATE "C" NOT NULL, -- which derivation
  session_id TEXT COLLATE "C" NOT NULL, -- in which log
  seq BIGINT NOT NULL, -- events below this number are done
  PRIMARY KEY (tenant, name, session_id)
);

CREATE TABLE import_positions (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  path TEXT COLLATE "C" NOT NULL, -- the transcript
  host TEXT COLLATE "C" NOT NULL, -- whose dialect
  position BIGINT NOT NULL, -- where to read on: a byte or a row
  state TEXT COLLATE "C" NOT NULL, -- what the reader must remember, JSON
  counts TEXT COLLATE "C" NOT NULL, -- entries by kind and by reason skipped so far, JSON
  updated_at TEXT COLLATE "C" NOT NULL, -- last read
  PRIMARY KEY (tenant, path)
);

CREATE TABLE injections (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  injection_id TEXT COLLATE "C" NOT NULL, -- its id, also the nonce of its frame
  session_id TEXT COLLATE "C" NOT NULL, -- who was shown it
  project_id TEXT COLLATE "C" NOT NULL, -- where
  principal_id TEXT COLLATE "C" NOT NULL, -- to whom
  source TEXT COLLATE "C" NOT NULL, -- startup, clear, compact or resume
  created_at TEXT COLLATE "C" NOT NULL, -- when
  tokens BIGINT NOT NULL, -- estimated tokens of the whole block with its frame
  bytes BIGINT NOT NULL, -- UTF-8 bytes of the whole block with its frame
  PRIMARY KEY (tenant, injection_id)
);
-- what a session was shown, latest first
CREATE INDEX injections_by_session ON injections (tenant, session_id, created_at);
-- what a project's sessions were shown, latest first
CREATE INDEX injections_by_project ON injections (tenant, project_id, created_at);

CREATE TABLE injection_items (
  tenant TEXT COLLATE "C" NOT NULL, -- whose installation
  injection_id TEXT COLLATE "C" NOT NULL, -- the block
  position BIGINT NOT NULL, -- order within the block, left-out items last
  layer TEXT COLLATE "C" NOT NULL, -- which layer offered it
  text TEXT COLLATE "C" NOT NULL, -- the line as offered
  session_id TEXT COLLATE "C", -- where it came from
  seq BIGINT, -- where it came from
  disposition TEXT COLLATE "C" NOT NULL, -- shown or left_out
  reason TEXT COLLATE "C" NOT NULL, -- why
  PRIMARY KEY (tenant, injection_id, position)
);

CREATE TABLE migrations (
  version BIGINT NOT NULL PRIMARY KEY, -- 1, 2, …
  name TEXT COLLATE "C" NOT NULL, -- what it does
  checksum TEXT COLLATE "C" NOT NULL, -- SHA-256 of its text
  engine TEXT COLLATE "C" NOT NULL, -- sqlite or postgresql
  applied_at TEXT COLLATE "C" NOT NULL -- when
);
