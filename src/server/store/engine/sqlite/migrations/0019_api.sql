-- What tools call the API with. A token acts for the user who made it, within its scopes.
CREATE TABLE api_tokens (
  -- SHA-256 of the token, hex: the table does not give away what opens a door.
  token_hash TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- JSON array.
  scopes TEXT NOT NULL,
  -- Its last four characters, for telling one from another.
  ending TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX api_tokens_user ON api_tokens (user_id);

-- What a tool said is in a release, the latest first.
CREATE TABLE release_commits (
  project_id INTEGER NOT NULL,
  version TEXT NOT NULL,
  -- Its place in the list, from 1.
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  repository TEXT,
  message TEXT,
  author_name TEXT,
  author_email TEXT,
  committed_at INTEGER,
  PRIMARY KEY (project_id, version, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER release_commits_removed AFTER DELETE ON releases BEGIN
  DELETE FROM release_commits WHERE project_id = OLD.project_id AND version = OLD.version;
END;
