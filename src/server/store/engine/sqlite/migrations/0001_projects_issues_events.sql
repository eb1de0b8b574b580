-- Rules that let the same tables be sharded by project: project_id leads every key, ids are made by the application,
-- nothing refers to events, instants are integer Unix milliseconds, hours are instants rounded down.

CREATE TABLE organizations (
  id INTEGER NOT NULL PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

INSERT INTO organizations (id, slug, name, created_at) VALUES (1, 'default', 'Default', 0);

CREATE TABLE projects (
  id INTEGER NOT NULL PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  platform TEXT,
  is_built_in INTEGER NOT NULL DEFAULT 0,
  -- Counts up only: the number of a deleted issue is never given to another one.
  last_issue_number INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE project_keys (
  project_id INTEGER NOT NULL REFERENCES projects (id),
  public_key TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, public_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE issues (
  project_id INTEGER NOT NULL,
  -- The first 53 bits of a hash, so that a JavaScript number holds it exactly; unique over all projects.
  id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  subtitle TEXT NOT NULL,
  culprit TEXT NOT NULL,
  level TEXT NOT NULL,
  platform TEXT NOT NULL,
  logger TEXT,
  status TEXT NOT NULL,
  mechanism TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  user_count INTEGER NOT NULL,
  first_release TEXT,
  last_release TEXT,
  first_event_id BLOB NOT NULL,
  latest_event_id BLOB NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

CREATE UNIQUE INDEX issues_number ON issues (project_id, number);

-- The stream: four orders, for one project and for all.
CREATE INDEX issues_project_last_seen ON issues (project_id, status, last_seen_at, id);
CREATE INDEX issues_project_first_seen ON issues (project_id, status, first_seen_at, id);
CREATE INDEX issues_project_events ON issues (project_id, status, event_count, id);
CREATE INDEX issues_project_users ON issues (project_id, status, user_count, id);
CREATE INDEX issues_last_seen ON issues (status, last_seen_at, id);
CREATE INDEX issues_first_seen ON issues (status, first_seen_at, id);
CREATE INDEX issues_events ON issues (status, event_count, id);
CREATE INDEX issues_users ON issues (status, user_count, id);

-- Which issue a group hash leads to. Merging two issues is re-pointing rows here.
CREATE TABLE issue_hashes (
  project_id INTEGER NOT NULL,
  hash BLOB NOT NULL,
  mechanism TEXT NOT NULL,
  issue_id INTEGER NOT NULL,
  PRIMARY KEY (project_id, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX issue_hashes_issue ON issue_hashes (project_id, issue_id);

-- A table with a row id on purpose: rows are appended, only the indexes are written at random places.
CREATE TABLE events (
  project_id INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  issue_id INTEGER NOT NULL,
  block_id INTEGER NOT NULL,
  -- Where the payload stands in the inflated block, in bytes.
  block_offset INTEGER NOT NULL,
  block_length INTEGER NOT NULL,
  occurred_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  level TEXT NOT NULL,
  environment TEXT NOT NULL,
  release TEXT,
  user_hash INTEGER,
  trace_id BLOB,
  client_address TEXT,
  PRIMARY KEY (project_id, event_id)
) STRICT;

CREATE INDEX events_of_issue ON events (project_id, issue_id, occurred_at, event_id);
CREATE INDEX events_of_trace ON events (project_id, trace_id) WHERE trace_id IS NOT NULL;

-- The payloads that one project brought in one committed batch: concatenated, then one zstd frame.
CREATE TABLE body_blocks (
  project_id INTEGER NOT NULL,
  -- Made from the time; grows with every block a process makes.
  id INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  raw_bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

CREATE TABLE issue_hours (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  environment TEXT NOT NULL,
  event_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, issue_id, hour, environment)
) STRICT, WITHOUT ROWID;

CREATE TABLE issue_tags (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  event_count INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, issue_id, key, value)
) STRICT, WITHOUT ROWID;

-- The smallest hashes of the issue's users: a K-minimum-values sketch.
CREATE TABLE issue_users (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  user_hash INTEGER NOT NULL,
  PRIMARY KEY (project_id, issue_id, user_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE releases (
  project_id INTEGER NOT NULL,
  version TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE environments (
  project_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE outcome_hours (
  project_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  category TEXT NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  PRIMARY KEY (project_id, hour, category, outcome, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE dead_letters (
  project_id INTEGER NOT NULL,
  -- Random, so that several processes can write.
  id TEXT NOT NULL,
  item_type TEXT NOT NULL,
  reason TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  payload BLOB NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

CREATE INDEX dead_letters_by_age ON dead_letters (project_id, received_at);

CREATE TABLE settings (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
