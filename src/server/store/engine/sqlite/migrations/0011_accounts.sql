-- People. The first five tables are better-auth's, under our names (src/server/auth/library.ts maps the columns);
-- instants in them are ISO 8601 texts, as its adapter writes them. Nothing here is sharded by project.

CREATE TABLE users (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  -- Lower case.
  email TEXT NOT NULL UNIQUE,
  email_verified INTEGER NOT NULL DEFAULT 0,
  image TEXT,
  two_factor_enabled INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE sessions (
  id TEXT NOT NULL PRIMARY KEY,
  token TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at TEXT NOT NULL,
  ip_address TEXT,
  user_agent TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX sessions_user ON sessions (user_id);

-- How a user proves who it is: a password here, or an account at an identity provider.
CREATE TABLE credentials (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  -- Argon2id, as a PHC string.
  password TEXT,
  access_token TEXT,
  refresh_token TEXT,
  id_token TEXT,
  access_token_expires_at TEXT,
  refresh_token_expires_at TEXT,
  scope TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (provider_id, account_id)
) STRICT;

CREATE INDEX credentials_user ON credentials (user_id);

CREATE TABLE verifications (
  id TEXT NOT NULL PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX verifications_identifier ON verifications (identifier);

-- The secret and the recovery codes are encrypted with the installation's secret.
CREATE TABLE two_factors (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  backup_codes TEXT NOT NULL,
  verified INTEGER NOT NULL DEFAULT 0,
  failed_verification_count INTEGER NOT NULL DEFAULT 0,
  locked_until TEXT
) STRICT;

CREATE INDEX two_factors_user ON two_factors (user_id);
CREATE INDEX two_factors_secret ON two_factors (secret);

CREATE TABLE memberships (
  organization_id INTEGER NOT NULL REFERENCES organizations (id),
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  -- 1: every project of the organization; 0: those in project_members. Owners and admins reach every project anyway.
  has_all_projects INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX memberships_user ON memberships (user_id);

CREATE TABLE project_members (
  project_id INTEGER NOT NULL REFERENCES projects (id),
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (project_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX project_members_user ON project_members (user_id);

-- Links that let somebody in once: an invitation into an organization, or a new password for a user.
CREATE TABLE account_links (
  -- SHA-256 of the token in the link, hex: the table does not give away what opens a door.
  token_hash TEXT NOT NULL PRIMARY KEY,
  purpose TEXT NOT NULL,
  organization_id INTEGER REFERENCES organizations (id),
  role TEXT,
  -- JSON array of project ids; null is every project.
  project_ids TEXT,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  -- For whom it is meant, as its maker wrote it.
  note TEXT NOT NULL DEFAULT '',
  created_by TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
