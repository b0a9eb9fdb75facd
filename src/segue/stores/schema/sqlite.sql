-- The schema on SQLite. Times are UTC text, YYYY-MM-DDTHH:MM:SS.mmmZ. Every primary key begins with the tenant.

CREATE TABLE store_meta (
  name TEXT NOT NULL PRIMARY KEY, -- what is kept: dedupe_key
  value TEXT NOT NULL -- its value
) STRICT, WITHOUT ROWID;

CREATE TABLE principals (
  tenant TEXT NOT NULL, -- whose installation
  principal_id TEXT NOT NULL, -- who: the OS user locally
  created_at TEXT NOT NULL, -- first seen
  PRIMARY KEY (tenant, principal_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
  tenant TEXT NOT NULL, -- whose installation
  project_id TEXT NOT NULL, -- digest of kind and identity
  kind TEXT NOT NULL, -- remote, git, directory or none
  identity TEXT NOT NULL, -- normalised remote, git common directory, or directory
  name TEXT NOT NULL, -- what people call it: the last part of the identity
  created_at TEXT NOT NULL, -- first seen
  PRIMARY KEY (tenant, project_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE project_roots (
  tenant TEXT NOT NULL, -- whose installation
  project_id TEXT NOT NULL, -- the project
  root TEXT NOT NULL, -- a directory where it was seen (worktrees and clones have their own)
  created_at TEXT NOT NULL, -- first seen there
  PRIMARY KEY (tenant, project_id, root)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  tenant TEXT NOT NULL, -- whose installation
  session_id TEXT NOT NULL, -- host:host session id, and /agent-ID for a subagent
  project_id TEXT NOT NULL, -- where it took place
  principal_id TEXT NOT NULL, -- its owner
  visibility TEXT NOT NULL, -- private or project
  host TEXT NOT NULL, -- which program ran it
  host_session_id TEXT NOT NULL, -- the program's own id
  agent_id TEXT, -- the subagent, if it is one
  agent_type TEXT, -- the subagent's kind
  parent_id TEXT, -- the session that started it
  cwd TEXT, -- working directory, redacted
  branch TEXT, -- git branch at the start
  model TEXT, -- the model the host named
  title TEXT, -- the host's title
  started_at TEXT NOT NULL, -- time of its first event
  last_event_at TEXT NOT NULL, -- time of its latest event
  recorded_at TEXT NOT NULL, -- when Segue last wrote to it
  next_seq INTEGER NOT NULL, -- the number of its events
  head BLOB NOT NULL, -- end of the hash chain
  status TEXT NOT NULL, -- ok or quarantined
  problem TEXT, -- why it is quarantined
  PRIMARY KEY (tenant, session_id)
) STRICT, WITHOUT ROWID;
-- the latest sessions of a project
CREATE INDEX sessions_by_project ON sessions (tenant, project_id, last_event_at);
-- the subagents of a session
CREATE INDEX sessions_by_parent ON sessions (tenant, parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE events (
  tenant TEXT NOT NULL, -- whose installation
  session_id TEXT NOT NULL, -- its log
  seq INTEGER NOT NULL, -- from 0, without gaps
  type TEXT NOT NULL, -- user/message, tool/result, …
  surface TEXT NOT NULL, -- current, shadowed or log-only
  origin TEXT NOT NULL, -- user, tool, model, host_summary, host, web or segue
  event_time TEXT NOT NULL, -- when it happened
  recorded_at TEXT NOT NULL, -- when Segue stored it
  action TEXT, -- class of tool work: command, edit, read, …
  outcome TEXT, -- ok, failed or unknown, as the host said
  dedupe BLOB, -- keyed digest of the host's id of it; null if it had none
  body_digest BLOB NOT NULL, -- SHA-256 of salt, subject and body
  chain BLOB NOT NULL, -- SHA-256 of the previous chain, the fields above and body_digest
  salt BLOB, -- 16 random bytes; null once the body was deleted
  size INTEGER NOT NULL, -- bytes of the body when it was written
  subject TEXT, -- the one line that names the work: command or path
  body TEXT, -- redacted JSON; null once deleted
  PRIMARY KEY (tenant, session_id, seq)
) STRICT;
-- fold what live capture and import both saw
CREATE UNIQUE INDEX events_by_dedupe ON events (tenant, dedupe) WHERE dedupe IS NOT NULL;
-- the latest commands and edits of a session
CREATE INDEX events_by_action ON events (tenant, session_id, action, seq) WHERE action IS NOT NULL AND type = 'tool/result';
-- the latest prompts, answers and summaries of a session
CREATE INDEX events_by_type ON events (tenant, session_id, type, seq) WHERE action IS NULL;

CREATE TABLE index_scopes (
  scope_no INTEGER NOT NULL PRIMARY KEY, -- the upper bits of a docid
  tenant TEXT NOT NULL, -- whose installation
  project_id TEXT NOT NULL, -- which project
  principal_id TEXT NOT NULL, -- which owner
  visibility TEXT NOT NULL, -- private or project
  UNIQUE (tenant, project_id, principal_id, visibility)
) STRICT;

CREATE TABLE event_docs (
  docid INTEGER NOT NULL PRIMARY KEY, -- scope_no * 2^40 + n: a scope is one range of docids
  tenant TEXT NOT NULL, -- whose installation
  session_id TEXT NOT NULL, -- the indexed event
  seq INTEGER NOT NULL, -- the indexed event
  type TEXT NOT NULL, -- its type
  surface TEXT NOT NULL, -- its surface
  event_time TEXT NOT NULL, -- its time
  UNIQUE (tenant, session_id, seq)
) STRICT;

CREATE VIRTUAL TABLE event_fts USING fts5 (
  words, -- the words of the event, folded
  parts, -- the parts of joined identifiers
  content='', tokenize="unicode61 remove_diacritics 0"
);

CREATE TABLE cursors (
  tenant TEXT NOT NULL, -- whose installation
  name TEXT NOT NULL, -- which derivation
  session_id TEXT NOT NULL, -- in which log
  seq INTEGER NOT NULL, -- events below this number are done
  PRIMARY KEY (tenant, name, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE import_positions (
  tenant TEXT NOT NULL, -- whose installation
  path TEXT NOT NULL, -- the transcript
  host TEXT NOT NULL, -- whose dialect
  position INTEGER NOT NULL, -- where to read on: a byte or a row
  state TEXT NOT NULL, -- what the reader must remember, JSON
  counts TEXT NOT NULL, -- entries by kind and by reason skipped so far, JSON
  updated_at TEXT NOT NULL, -- last read
  PRIMARY KEY (tenant, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE injections (
  tenant TEXT NOT NULL, -- whose installation
  injection_id TEXT NOT NULL, -- its id, also the nonce of its frame
  session_id TEXT NOT NULL, -- who was shown it
  project_id TEXT NOT NULL, -- where
  principal_id TEXT NOT NULL, -- to whom
  source TEXT NOT NULL, -- startup, clear, compact or resume
  created_at TEXT NOT NULL, -- when
  tokens INTEGER NOT NULL, -- estimated tokens of the whole block with its frame
  bytes INTEGER NOT NULL, -- UTF-8 bytes of the whole block with its frame
  PRIMARY KEY (tenant, injection_id)
) STRICT, WITHOUT ROWID;
-- what a session was shown, latest first
CREATE INDEX injections_by_session ON injections (tenant, session_id, created_at);
-- what a project's sessions were shown, latest first
CREATE INDEX injections_by_project ON injections (tenant, project_id, created_at);

CREATE TABLE injection_items (
  tenant TEXT NOT NULL, -- whose installation
  injection_id TEXT NOT NULL, -- the block
  position INTEGER NOT NULL, -- order within the block, left-out items last
  layer TEXT NOT NULL, -- which layer offered it
  text TEXT NOT NULL, -- the line as offered
  session_id TEXT, -- where it came from
  seq INTEGER, -- where it came from
  disposition TEXT NOT NULL, -- shown or left_out
  reason TEXT NOT NULL, -- why
  PRIMARY KEY (tenant, injection_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE migrations (
  version INTEGER NOT NULL PRIMARY KEY, -- 1, 2, …
  name TEXT NOT NULL, -- what it does
  checksum TEXT NOT NULL, -- SHA-256 of its text
  engine TEXT NOT NULL, -- sqlite or postgresql
  applied_at TEXT NOT NULL -- when
) STRICT;
