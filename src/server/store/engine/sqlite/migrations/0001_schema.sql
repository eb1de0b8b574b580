-- The schema of the store, by noun.
--
-- The tables can be sharded by project: project_id is first in every key, the application makes ids, and
-- nothing refers to events. Instants are Unix milliseconds; hours and days are instants rounded down. Names
-- that end in _hash or _id and are BLOBs hold bytes, not hex.

-- ---- Installation ----

-- Settings of the installation: JSON values by name.
CREATE TABLE settings (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Work that one process at a time does for all processes that have the file open.
CREATE TABLE leases (
  name TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Servers that have the database open, each with its load in the last interval of its heartbeat.
CREATE TABLE processes (
  id TEXT NOT NULL PRIMARY KEY,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  version TEXT NOT NULL,
  origin TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  items_per_minute INTEGER NOT NULL,
  cpu_permille INTEGER NOT NULL,
  memory_bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- ---- Accounts ----
-- users, sessions, credentials, verifications and two_factors belong to better-auth;
-- src/server/auth/auth-library.ts maps their columns. Its adapter writes instants as ISO 8601 texts.

-- Groups of people and projects. An installation has one.
CREATE TABLE organizations (
  id INTEGER NOT NULL PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- 1: monitors with a public name are shown at /status/SLUG, without signing in.
  has_status_page INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO organizations (id, slug, name, created_at) VALUES (1, 'default', 'Default', 0);

-- People who can sign in.
CREATE TABLE users (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  -- Lower case.
  email TEXT NOT NULL UNIQUE,
  email_verified INTEGER NOT NULL DEFAULT 0,
  image TEXT,
  two_factor_enabled INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  -- 1: no shortcuts of single keys (WCAG 2.1.4). Software for speech input types such keys by itself.
  shortcuts_off INTEGER NOT NULL DEFAULT 0,
  -- IANA name of the zone in which times are shown; NULL: the browser's.
  time_zone TEXT
) STRICT;

-- Sign-ins of users: one row for each browser.
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

-- How a user signs in: by a password, or by an identity of the identity provider.
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

-- An account has one identity at the identity provider.
CREATE UNIQUE INDEX credentials_identity ON credentials (user_id, provider_id) WHERE provider_id <> 'credential';

-- Short-lived values that better-auth checks later, such as the state of a sign-in through the identity
-- provider.
CREATE TABLE verifications (
  id TEXT NOT NULL PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX verifications_identifier ON verifications (identifier);

-- Authenticator apps of users, and their recovery codes.
CREATE TABLE two_factors (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  backup_codes TEXT NOT NULL,
  verified INTEGER NOT NULL DEFAULT 0,
  failed_verification_count INTEGER NOT NULL DEFAULT 0,
  locked_until TEXT,
  -- The time step of the last accepted code (RFC 6238 5.2: each code is accepted once).
  last_used_step INTEGER
) STRICT;

CREATE INDEX two_factors_user ON two_factors (user_id);
CREATE INDEX two_factors_secret ON two_factors (secret);

-- Failed sign-ins. They are in the store so that all processes of an installation count together.
CREATE TABLE sign_in_failures (
  -- SHA-256 of an account, a client network, or both. Hashed because people type passwords into the wrong
  -- field.
  name_hash TEXT NOT NULL PRIMARY KEY,
  failure_count INTEGER NOT NULL,
  -- Unix milliseconds, both.
  last_at INTEGER NOT NULL,
  forget_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_failures_forget_at ON sign_in_failures (forget_at);

-- The role of a user in an organization.
CREATE TABLE memberships (
  organization_id INTEGER NOT NULL REFERENCES organizations (id),
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  -- 1: access to every project of the organization; 0: to those in project_members. Owners and admins have
  -- access to every project.
  has_all_projects INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX memberships_user ON memberships (user_id);

-- Links that create an account or set a new password. Each works once.
CREATE TABLE account_links (
  -- SHA-256 of the token in the link, hex: the table does not reveal tokens.
  token_hash TEXT NOT NULL PRIMARY KEY,
  purpose TEXT NOT NULL,
  organization_id INTEGER REFERENCES organizations (id),
  role TEXT,
  -- JSON array of project ids; NULL: every project.
  project_ids TEXT,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  -- A note of the user who made the link.
  note TEXT NOT NULL DEFAULT '',
  created_by TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Tokens for the API.
CREATE TABLE api_tokens (
  -- SHA-256 of the token, hex: the table does not reveal tokens.
  token_hash TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- JSON array.
  scopes TEXT NOT NULL,
  -- Its last four characters, so that people can tell tokens apart.
  ending TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX api_tokens_user ON api_tokens (user_id);

-- ---- Projects ----

-- Projects: what events, releases and settings belong to.
CREATE TABLE projects (
  id INTEGER NOT NULL PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  platform TEXT,
  is_built_in INTEGER NOT NULL DEFAULT 0,
  -- Counts up only: no two issues share a number, even after a deletion.
  last_issue_number INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  -- JSON with what differs from the defaults, so that a default can change with the code; see
  -- projects/settings.ts.
  settings TEXT NOT NULL DEFAULT '{}',
  -- For session_series.id. Counts up only.
  last_series_id INTEGER NOT NULL DEFAULT 0,
  -- How often events or time have reopened an issue. With last_issue_number it tells an open list that it is
  -- out of date.
  reopened_count INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Keys in the DSNs of a project.
CREATE TABLE project_keys (
  project_id INTEGER NOT NULL REFERENCES projects (id),
  public_key TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  -- JSON, as in projects.
  settings TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (project_id, public_key)
) STRICT, WITHOUT ROWID;

-- Projects of members who do not have access to all projects.
CREATE TABLE project_members (
  project_id INTEGER NOT NULL REFERENCES projects (id),
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (project_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX project_members_user ON project_members (user_id);

-- Bytes that a project's rows take. Retention decides by them which project gives up space. Triggers keep
-- them, so that every statement that changes those rows counts. Attachments have their own total,
-- attachment_totals.
CREATE TABLE project_bytes (
  project_id INTEGER NOT NULL PRIMARY KEY,
  -- Events with a payload in `body_blocks`, and the bytes of those blocks as they are stored.
  event_count INTEGER NOT NULL DEFAULT 0,
  event_bytes INTEGER NOT NULL DEFAULT 0,
  -- Waiting envelopes, as they are stored.
  outbox_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The smallest hashes of the users of a project's events: a K-minimum-values sketch, as in issue_users. It
-- gives the share of a project's users that an issue affects.
CREATE TABLE project_users (
  project_id INTEGER NOT NULL REFERENCES projects (id),
  user_hash INTEGER NOT NULL,
  PRIMARY KEY (project_id, user_hash)
) STRICT, WITHOUT ROWID;

-- How many users the sketch in project_users stands for. Not a column of projects: that table is copied
-- without the sketch.
CREATE TABLE project_user_counts (
  project_id INTEGER NOT NULL PRIMARY KEY REFERENCES projects (id),
  user_count INTEGER NOT NULL
) STRICT;

-- Environments that events of a project name.
CREATE TABLE environments (
  project_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, name)
) STRICT, WITHOUT ROWID;

-- ---- Issues ----

-- Issues: groups of events, with their status and their totals.
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
  -- Events that retention has deleted. event_count still counts them.
  expired_event_count INTEGER NOT NULL DEFAULT 0,
  -- When the status changed last.
  status_changed_at INTEGER,
  -- 1: an event reopened the issue after it was resolved.
  is_regressed INTEGER NOT NULL DEFAULT 0,
  -- The release of the event that reopened the issue last.
  regressed_release TEXT,
  -- A user.
  assignee_id TEXT,
  -- The condition that reopens a resolved or archived issue: JSON, see triage/reopen-condition.ts. NULL: none
  -- beyond the rule of the status.
  reopen_condition TEXT,
  -- The time in reopen_condition, for finding the archived issues whose time has passed.
  archived_until_at INTEGER,
  -- The latest event's message, further lines and causes, beyond title, subtitle and culprit.
  message TEXT,
  -- Of the texts that issue_texts has the words of: the texts change more often than the words need to.
  text_hash INTEGER,
  -- Binary logarithms of the event count, where each event counts half as much after a day (fast) or a week
  -- (slow); see issues/trend-weight.ts. They grow with the calendar, so that no row needs an update as time
  -- passes.
  trend_fast REAL NOT NULL DEFAULT 0,
  trend_slow REAL NOT NULL DEFAULT 0,
  -- The sort key, made of both.
  trend INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, id)
) STRICT;

CREATE UNIQUE INDEX issues_number ON issues (project_id, number);

-- The orders of the stream, for one project.
CREATE INDEX issues_project_last_seen ON issues (project_id, status, last_seen_at, id);
CREATE INDEX issues_project_first_seen ON issues (project_id, status, first_seen_at, id);
CREATE INDEX issues_project_events ON issues (project_id, status, event_count, id);
CREATE INDEX issues_project_users ON issues (project_id, status, user_count, id);
CREATE INDEX issues_first_release ON issues (first_release, project_id, id) WHERE first_release IS NOT NULL;
CREATE INDEX issues_regressed_release ON issues (regressed_release, project_id, id)
  WHERE regressed_release IS NOT NULL;

-- Similar issues: the same kind of error, in the same place first.
CREATE INDEX issues_alike ON issues (project_id, title, culprit);
CREATE INDEX issues_assignee ON issues (assignee_id, status, last_seen_at, id) WHERE assignee_id IS NOT NULL;
CREATE INDEX issues_archived_until ON issues (archived_until_at) WHERE archived_until_at IS NOT NULL;

-- Full-text words are deleted with their issue.
CREATE TRIGGER issues_removed AFTER DELETE ON issues BEGIN
  DELETE FROM issue_texts WHERE rowid = OLD.id;
END;

CREATE INDEX issues_by_id ON issues (id);
CREATE INDEX issues_project_trend ON issues (project_id, status, trend, id);

-- With the project, so that rows of projects without access are skipped unread.
CREATE INDEX issues_last_seen ON issues (status, last_seen_at, id, project_id);
CREATE INDEX issues_first_seen ON issues (status, first_seen_at, id, project_id);
CREATE INDEX issues_events ON issues (status, event_count, id, project_id);
CREATE INDEX issues_users ON issues (status, user_count, id, project_id);
CREATE INDEX issues_trend ON issues (status, trend, id, project_id);

-- The issue of a group hash. A merge of two issues changes rows here.
CREATE TABLE issue_hashes (
  project_id INTEGER NOT NULL,
  hash BLOB NOT NULL,
  mechanism TEXT NOT NULL,
  issue_id INTEGER NOT NULL,
  -- The part of a merged issue that the hash belongs to; NULL while its issue has no parts.
  part_id INTEGER,
  PRIMARY KEY (project_id, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX issue_hashes_issue ON issue_hashes (project_id, issue_id);

-- An issue's events by hour and environment.
CREATE TABLE issue_hours (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  environment TEXT NOT NULL,
  event_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, issue_id, hour, environment)
) STRICT, WITHOUT ROWID;

-- How often an issue's events have a tag value.
CREATE TABLE issue_tags (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  event_count INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, issue_id, key, value)
) STRICT, WITHOUT ROWID;

-- By project first, so that searches and suggestions read only the projects of the viewer.
CREATE INDEX issue_tags_value ON issue_tags (project_id, key, value, issue_id);

-- The smallest hashes of an issue's users: a K-minimum-values sketch.
CREATE TABLE issue_users (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  user_hash INTEGER NOT NULL,
  PRIMARY KEY (project_id, issue_id, user_hash)
) STRICT, WITHOUT ROWID;

-- The environments of an issue. The stream is filtered by them, so they are written with the event and not by
-- a later fold.
CREATE TABLE issue_environments (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  environment TEXT NOT NULL,
  PRIMARY KEY (project_id, issue_id, environment)
) STRICT, WITHOUT ROWID;

-- Whether any issue has events in an environment: one read a list.
CREATE INDEX issue_environments_name ON issue_environments (environment, project_id);

-- What the events of an issue contain besides tags: types of exceptions, functions, SDKs. For searches;
-- nothing here is counted.
CREATE TABLE issue_traits (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  -- A word of the search language: issues/traits.ts.
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (project_id, issue_id, key, value)
) STRICT, WITHOUT ROWID;

CREATE INDEX issue_traits_value ON issue_traits (project_id, key, value, issue_id);

-- The words of issues for full-text searches, by issue id. The texts themselves are in issues.
CREATE VIRTUAL TABLE issue_texts USING fts5 (
  title, value, culprit, message, content = '', contentless_delete = 1, tokenize = 'unicode61'
);

-- What committed events add to issue_hours, issue_tags and issue_users but has not been added yet: written
-- with the events, folded a moment later.
CREATE TABLE counter_deltas (
  project_id INTEGER NOT NULL,
  -- Made like the ids of body blocks.
  id INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  -- JSON, see ingest/counter-delta.ts.
  data TEXT NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

-- Ids of deleted issues whose other rows are still being deleted. No new issue gets such an id.
CREATE TABLE expired_issues (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  expired_at INTEGER NOT NULL,
  -- 1: events of the issue are still to be deleted.
  has_events INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, issue_id)
) STRICT, WITHOUT ROWID;

-- ---- Triage ----

-- Changes of issues by people and by the system, and comments.
CREATE TABLE issue_activity (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  -- Made from the time, then random: ids sort by time.
  id TEXT NOT NULL,
  -- The same for all issues that one action changed: undo finds them by it.
  action_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- NULL: the system.
  user_id TEXT,
  kind TEXT NOT NULL,
  -- JSON by kind, see triage/activity.ts.
  detail TEXT NOT NULL,
  -- When the comment was edited last.
  edited_at INTEGER,
  PRIMARY KEY (project_id, issue_id, id)
) STRICT, WITHOUT ROWID;

-- The parts of a merged issue: what each of its issues was before the merge. A part continues to count its
-- own events, here and in issue_hours, issue_tags, issue_users and issue_environments, so that an unmerge
-- restores it. See triage/parts.ts.
CREATE TABLE issue_parts (
  project_id INTEGER NOT NULL,
  -- The id of the merged issue. The target's own part has the target's id, negated.
  id INTEGER NOT NULL,
  -- The merged issue.
  issue_id INTEGER NOT NULL,
  merged_at INTEGER NOT NULL,
  -- From here the columns of issues, under the same names.
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
  expired_event_count INTEGER NOT NULL,
  status_changed_at INTEGER,
  is_regressed INTEGER NOT NULL,
  regressed_release TEXT,
  assignee_id TEXT,
  reopen_condition TEXT,
  archived_until_at INTEGER,
  message TEXT,
  text_hash INTEGER,
  trend_fast REAL NOT NULL,
  trend_slow REAL NOT NULL,
  trend INTEGER NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

CREATE INDEX issue_parts_issue ON issue_parts (project_id, issue_id);
CREATE INDEX issue_parts_number ON issue_parts (project_id, number);

-- Group hashes whose events are dropped on arrival. In issue_hashes they lead to the issue 0.
CREATE TABLE discarded_hashes (
  project_id INTEGER NOT NULL,
  hash BLOB NOT NULL,
  title TEXT NOT NULL,
  subtitle TEXT NOT NULL,
  discarded_at INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  PRIMARY KEY (project_id, hash)
) STRICT, WITHOUT ROWID;

-- Issues that were imported from another tracker, with both counts when they were compared last.
CREATE TABLE imported_issues (
  project_id INTEGER NOT NULL,
  -- The issue's id there.
  source_id TEXT NOT NULL,
  -- Of its events here: it leads to the issue, also after a merge.
  hash BLOB NOT NULL,
  short_id TEXT NOT NULL,
  title TEXT NOT NULL,
  -- Its page there; empty where there is none.
  url TEXT NOT NULL,
  -- Events there and here.
  source_count INTEGER NOT NULL,
  own_count INTEGER NOT NULL,
  compared_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, source_id)
) STRICT, WITHOUT ROWID;

-- The import that was started in the console last.
CREATE TABLE import_jobs (
  id TEXT NOT NULL PRIMARY KEY,
  -- JSON, see imports/import-job.ts.
  document TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Issues of trackers, such as GitHub, that belong to an issue.
CREATE TABLE issue_links (
  project_id INTEGER NOT NULL,
  -- The one that it was linked to, which may have been merged since.
  issue_id INTEGER NOT NULL,
  -- Its page there.
  url TEXT NOT NULL,
  -- What it is called there: acme/shop#12.
  name TEXT NOT NULL,
  is_closed INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, issue_id, url)
) STRICT, WITHOUT ROWID;

CREATE INDEX issue_links_url ON issue_links (project_id, url);

-- Searches that people keep. A shared search names an organization; the others are their user's alone.
CREATE TABLE saved_searches (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  organization_id INTEGER REFERENCES organizations (id),
  name TEXT NOT NULL,
  -- JSON: the parameters of the URL of the stream.
  search TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX saved_searches_user ON saved_searches (user_id);
CREATE INDEX saved_searches_shared ON saved_searches (organization_id) WHERE organization_id IS NOT NULL;

-- The search that the stream starts with, by user.
CREATE TABLE default_searches (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  search_id TEXT NOT NULL REFERENCES saved_searches (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX default_searches_search ON default_searches (search_id);

-- ---- Alerts ----

-- Rules that decide which transitions of issues people are notified of.
CREATE TABLE alert_rules (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations (id),
  -- NULL: every project of the organization.
  project_id INTEGER REFERENCES projects (id),
  -- JSON, see src/alerts/rule.ts.
  rule TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Another random number after each change: the sum of all says whether any rule has changed.
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX alert_rules_organization ON alert_rules (organization_id, project_id);

-- Transitions of issues that no rule has decided about yet. Written in the transaction that changes the issue.
CREATE TABLE alert_transitions (
  project_id INTEGER NOT NULL,
  -- Made from the time, then random: ids sort by time.
  id TEXT NOT NULL,
  issue_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- JSON, see alerts/queue.ts: of the event that caused it.
  detail TEXT NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT, WITHOUT ROWID;

-- What a rule decided about a transition: one row at most for each pair. A rule whose trigger or filters do not
-- match decides nothing.
CREATE TABLE alert_decisions (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  rule_id TEXT NOT NULL,
  transition_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- Of the transition, and of the decision.
  at INTEGER NOT NULL,
  decided_at INTEGER NOT NULL,
  -- See AlertResult.
  result TEXT NOT NULL,
  -- JSON: the ids in alert_deliveries.
  delivery_ids TEXT NOT NULL,
  -- JSON, see src/alerts/notice.ts: of a transition of the project, whose issue_id is 0.
  notice TEXT,
  PRIMARY KEY (project_id, issue_id, rule_id, transition_id)
) STRICT, WITHOUT ROWID;

-- Retention deletes old decisions by it.
CREATE INDEX alert_decisions_age ON alert_decisions (project_id, decided_at);

-- Where alerts are sent besides people. Made once for an organization, and named by rules.
CREATE TABLE alert_destinations (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  -- The kind of a channel, see server/alerts/channels.
  channel TEXT NOT NULL,
  -- JSON: the settings that are not secret.
  settings TEXT NOT NULL,
  -- Encrypted JSON: the secret ones; NULL: none.
  secrets TEXT,
  created_at INTEGER NOT NULL,
  -- Nothing is sent since then. The reason is for admins.
  disabled_at INTEGER,
  disabled_reason TEXT,
  -- Of the attempts that fail without a success since.
  failing_since INTEGER,
  last_error TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX alert_destinations_organization ON alert_destinations (organization_id);

-- Browsers that show a user notifications (Web Push).
CREATE TABLE push_subscriptions (
  -- SHA-256 of its endpoint, hex: a browser that subscribes again has one row.
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Encrypted JSON: the endpoint, which lets anybody send, and the keys of the browser.
  secrets TEXT NOT NULL,
  -- For people: Firefox on Linux.
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id);

-- Messages, each to a destination, by mail to a person, or to a browser of a person.
CREATE TABLE alert_deliveries (
  -- Made from the time, then random: ids sort by time.
  id TEXT NOT NULL PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations (id),
  -- One of the three.
  destination_id TEXT REFERENCES alert_destinations (id) ON DELETE CASCADE,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  push_id TEXT REFERENCES push_subscriptions (id) ON DELETE CASCADE,
  -- See alerts/delivery-message.ts; the project of its first transition.
  kind TEXT NOT NULL,
  first_project_id INTEGER NOT NULL,
  -- Those in the message, and those that are only counted.
  transition_count INTEGER NOT NULL,
  -- JSON: what it is about, without texts of events.
  message TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Transitions are added until then.
  due_at INTEGER NOT NULL,
  -- Later it is not sent any more.
  expires_at INTEGER NOT NULL,
  attempt_count INTEGER NOT NULL DEFAULT 0,
  -- A process is sending it until then.
  leased_until INTEGER,
  -- waiting, held, sent, failed, expired or cancelled.
  status TEXT NOT NULL,
  finished_at INTEGER
) STRICT, WITHOUT ROWID;

-- What is to be sent, the oldest first.
CREATE INDEX alert_deliveries_waiting ON alert_deliveries (due_at) WHERE status = 'waiting';
-- The storm brake counts what a receiver got.
CREATE INDEX alert_deliveries_destination ON alert_deliveries (destination_id, created_at);
CREATE INDEX alert_deliveries_user ON alert_deliveries (user_id, created_at);
CREATE INDEX alert_deliveries_push ON alert_deliveries (push_id, created_at);
-- Old ones are deleted by it.
CREATE INDEX alert_deliveries_age ON alert_deliveries (created_at);

-- The ledger of attempts to send.
CREATE TABLE alert_attempts (
  delivery_id TEXT NOT NULL REFERENCES alert_deliveries (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  -- Of HTTP or SMTP; NULL: no answer.
  status INTEGER,
  -- The beginning of the answer, for admins.
  answer TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  PRIMARY KEY (delivery_id, at)
) STRICT, WITHOUT ROWID;

-- The message about an issue that a channel edits or replies to.
CREATE TABLE alert_threads (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  destination_id TEXT NOT NULL REFERENCES alert_destinations (id) ON DELETE CASCADE,
  -- Names it at the receiver.
  reference TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (project_id, issue_id, destination_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX alert_threads_destination ON alert_threads (destination_id);

-- Notifications of a user, shown in the console.
CREATE TABLE inbox_items (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- That of the transition: ids sort by time.
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- JSON: the ids of the rules that matched.
  rule_ids TEXT NOT NULL,
  read_at INTEGER,
  -- As in alert_decisions.
  notice TEXT,
  PRIMARY KEY (project_id, issue_id, user_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX inbox_items_user ON inbox_items (user_id, id);
CREATE INDEX inbox_items_unread ON inbox_items (user_id, project_id) WHERE read_at IS NULL;
-- Retention deletes old items by it.
CREATE INDEX inbox_items_age ON inbox_items (project_id, at);

-- Notification settings of a user that differ from the default.
CREATE TABLE notification_preferences (
  -- 0: a kind of transition, in every project. Otherwise transition is any, or a kind: an exception.
  project_id INTEGER NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  transition TEXT NOT NULL,
  -- inbox, email, digest or none.
  way TEXT NOT NULL,
  PRIMARY KEY (project_id, user_id, transition)
) STRICT, WITHOUT ROWID;

CREATE INDEX notification_preferences_user ON notification_preferences (user_id);

-- Muted rules and projects.
CREATE TABLE alert_mutes (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations (id),
  -- One of the two.
  rule_id TEXT REFERENCES alert_rules (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES projects (id),
  -- Why, in the words of the one who muted.
  name TEXT NOT NULL,
  until_at INTEGER NOT NULL,
  user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX alert_mutes_organization ON alert_mutes (organization_id);
CREATE INDEX alert_mutes_rule ON alert_mutes (rule_id);
CREATE INDEX alert_mutes_project ON alert_mutes (project_id);

-- What was counted for issues in the windows that thresholds of rules watch, by twelfths of a window. Only of
-- projects with such a rule.
CREATE TABLE alert_windows (
  project_id INTEGER NOT NULL,
  -- The length of the window in milliseconds, and when its twelfth began.
  window_ms INTEGER NOT NULL,
  bucket_at INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  -- The smallest hashes of the users, 8 bytes each; NULL: no rule counts users.
  user_hashes BLOB,
  PRIMARY KEY (project_id, window_ms, bucket_at, issue_id)
) STRICT, WITHOUT ROWID;

-- Thresholds that were crossed by an issue and are not armed again.
CREATE TABLE alert_thresholds (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  rule_id TEXT NOT NULL,
  fired_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, issue_id, rule_id)
) STRICT, WITHOUT ROWID;

-- Reported troubles of projects that are not over: reached limits, an upstream that does
-- not accept, a disk that is full, a crash-free rate that is too low.
CREATE TABLE alert_troubles (
  project_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- Of the same kind each is a trouble of its own: an upstream, or a rule and a release.
  subject TEXT NOT NULL,
  since_at INTEGER NOT NULL,
  -- When it was noticed last.
  last_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, kind, subject)
) STRICT, WITHOUT ROWID;

-- ---- Monitors ----

-- Jobs that report their runs by check-ins, and addresses that Culvert checks.
CREATE TABLE monitors (
  project_id INTEGER NOT NULL,
  id TEXT NOT NULL,
  -- Names it in check-ins.
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  -- cron or uptime.
  kind TEXT NOT NULL,
  -- JSON, see src/monitors/schedule.ts and src/monitors/uptime.ts.
  settings TEXT NOT NULL,
  -- 1: check-ins are not recorded, and none is expected.
  is_paused INTEGER NOT NULL DEFAULT 0,
  -- 1: failures are recorded, but make no issue.
  is_muted INTEGER NOT NULL DEFAULT 0,
  -- In the address of its badge, which needs no account.
  badge_secret TEXT NOT NULL,
  -- Why the settings of the latest check-in are not used; NULL: they are, or it had none.
  config_problem TEXT,
  -- Its name on the status page; NULL: it is not shown there.
  public_name TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX monitors_slug ON monitors (project_id, slug);

-- What is known of a monitor in each environment that it has sent check-ins of.
CREATE TABLE monitor_environments (
  project_id INTEGER NOT NULL,
  monitor_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  -- JSON, see src/monitors/verdicts.ts.
  state TEXT NOT NULL,
  -- When something is due next: the end of a slot or of a run. NULL: its monitor is paused.
  wake_at INTEGER,
  -- When Culvert makes the next check of an uptime monitor. NULL: it is paused, or another kind.
  check_at INTEGER,
  -- The event of its latest failure, and the issue of that.
  latest_event_id BLOB,
  issue_id INTEGER,
  PRIMARY KEY (project_id, monitor_id, environment)
) STRICT, WITHOUT ROWID;

CREATE INDEX monitor_environments_wake ON monitor_environments (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX monitor_environments_check ON monitor_environments (check_at) WHERE check_at IS NOT NULL;

-- Runs of jobs, expected runs that did not happen, and checks.
CREATE TABLE monitor_check_ins (
  project_id INTEGER NOT NULL,
  monitor_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  -- Given by the client, or random: 32 lower-case hex digits.
  id TEXT NOT NULL,
  -- When it began or was expected.
  at INTEGER NOT NULL,
  -- When the run was expected; NULL: no schedule expects it.
  slot_at INTEGER,
  status TEXT NOT NULL,
  finished_at INTEGER,
  duration_ms INTEGER,
  release TEXT,
  trace_id TEXT,
  -- The output of the job.
  body TEXT,
  -- What a check saw: JSON, see src/monitors/uptime.ts.
  seen TEXT,
  PRIMARY KEY (project_id, id, monitor_id, environment)
) STRICT, WITHOUT ROWID;

CREATE INDEX monitor_check_ins_at ON monitor_check_ins (project_id, monitor_id, environment, at);
-- Retention deletes old ones by it.
CREATE INDEX monitor_check_ins_age ON monitor_check_ins (project_id, at);
-- Those of uptime monitors are deleted earlier.
CREATE INDEX monitor_check_ins_seen ON monitor_check_ins (project_id, at) WHERE seen IS NOT NULL;

-- How many ended check-ins had each status in a step of time, so that no timeline reads each of them.
CREATE TABLE monitor_counts (
  project_id INTEGER NOT NULL,
  monitor_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  -- The length of the step: half an hour or a day.
  step_ms INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  -- Of those with a duration.
  duration_count INTEGER NOT NULL,
  duration_total_ms INTEGER NOT NULL,
  PRIMARY KEY (project_id, monitor_id, environment, step_ms, at, status)
) STRICT, WITHOUT ROWID;

CREATE INDEX monitor_counts_age ON monitor_counts (project_id, step_ms, at);

-- Times in which a monitor was failing.
CREATE TABLE monitor_incidents (
  project_id INTEGER NOT NULL,
  monitor_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  -- NULL: it still fails.
  ended_at INTEGER,
  PRIMARY KEY (project_id, monitor_id, environment, began_at)
) STRICT, WITHOUT ROWID;

-- Check-ins that were received and not yet applied to their monitor.
CREATE TABLE monitor_queue (
  project_id INTEGER NOT NULL,
  -- Made from the time, then counted: ids sort in the order of receipt.
  id TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  -- JSON, see store/monitors/queue.ts.
  data TEXT NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT, WITHOUT ROWID;

-- Failures and recoveries that are not yet events of an issue, or its resolution.
CREATE TABLE monitor_signals (
  project_id INTEGER NOT NULL,
  id TEXT NOT NULL,
  monitor_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  -- JSON, see src/monitors/verdicts.ts.
  signal TEXT NOT NULL,
  -- The same at each attempt: the event is stored once.
  event_id TEXT NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT, WITHOUT ROWID;

-- The clock of the monitors: one row, which each of its transactions locks.
CREATE TABLE monitor_clock (
  id INTEGER NOT NULL PRIMARY KEY,
  -- When a process looked for what is due last.
  ticked_at INTEGER NOT NULL
) STRICT;

-- Times in which no process was up to receive check-ins, or over which the clock jumped.
CREATE TABLE monitor_gaps (
  from_at INTEGER NOT NULL PRIMARY KEY,
  to_at INTEGER NOT NULL
) STRICT;

-- ---- Events ----

-- One row for each stored event. The table has a row id on purpose: rows are appended, only the indexes are
-- written at random places.
CREATE TABLE events (
  project_id INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  issue_id INTEGER NOT NULL,
  block_id INTEGER NOT NULL,
  -- Offset of the payload in the inflated block, in bytes.
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
  -- Three bytes of a hash of each tag (issues/tag-hash.ts): finds an issue's events by tag without reading
  -- payloads. An index would double the size of an event.
  tag_hashes BLOB,
  -- The part of a merged issue that the event belongs to; NULL for events of the issue itself.
  part_id INTEGER,
  PRIMARY KEY (project_id, event_id)
) STRICT;

CREATE INDEX events_of_issue ON events (project_id, issue_id, occurred_at, event_id);
CREATE INDEX events_of_trace ON events (project_id, trace_id) WHERE trace_id IS NOT NULL;

-- Retention reads the events of a block. Entries are appended.
CREATE INDEX events_of_block ON events (project_id, block_id);
CREATE INDEX events_of_part ON events (project_id, part_id) WHERE part_id IS NOT NULL;

-- The payloads of one project in one committed batch: concatenated, then compressed as one zstd frame.
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

-- The lengths are read from the table: NEW.data and OLD.data would read the whole blob, 0.5 ms for a large
-- block.
CREATE TRIGGER body_blocks_added AFTER INSERT ON body_blocks BEGIN
  INSERT INTO project_bytes (project_id, event_count, event_bytes)
  SELECT project_id, event_count, length(data) FROM body_blocks WHERE rowid = NEW.rowid
  ON CONFLICT (project_id) DO UPDATE SET
    event_count = project_bytes.event_count + excluded.event_count,
    event_bytes = project_bytes.event_bytes + excluded.event_bytes;
END;

CREATE TRIGGER body_blocks_counted AFTER UPDATE OF event_count ON body_blocks BEGIN
  UPDATE project_bytes SET event_count = event_count + NEW.event_count - OLD.event_count
  WHERE project_id = NEW.project_id;
END;

CREATE TRIGGER body_blocks_changed AFTER UPDATE OF data ON body_blocks BEGIN
  UPDATE project_bytes SET event_bytes = event_bytes + length(NEW.data) - length(OLD.data)
  WHERE project_id = NEW.project_id;
END;

CREATE TRIGGER body_blocks_removed BEFORE DELETE ON body_blocks BEGIN
  UPDATE project_bytes SET
    event_count = event_count - OLD.event_count,
    event_bytes = event_bytes - (SELECT length(data) FROM body_blocks WHERE rowid = OLD.rowid)
  WHERE project_id = OLD.project_id;
END;

-- Digests that another framework shows for an error (Next.js). They lead to the event too.
CREATE TABLE event_digests (
  project_id INTEGER NOT NULL,
  digest TEXT NOT NULL,
  event_id BLOB NOT NULL,
  PRIMARY KEY (project_id, digest, event_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_digests_of_event ON event_digests (project_id, event_id);

-- Users' feedback about an event. The event may arrive later, or never.
CREATE TABLE event_feedback (
  project_id INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  -- Feedback is an event of its own as well.
  feedback_id BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (project_id, event_id, feedback_id)
) STRICT, WITHOUT ROWID;

-- By the feedback itself, for deleting it with its event.
CREATE INDEX event_feedback_by_id ON event_feedback (project_id, feedback_id);

-- Files that belong to an event. The event may arrive later, or never.
CREATE TABLE attachments (
  project_id INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  -- Counted within the event, from 1.
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  -- The type that the SDK reports: event.attachment, event.view_hierarchy …
  kind TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  byte_count INTEGER NOT NULL,
  -- Bytes of the column data.
  stored_bytes INTEGER NOT NULL,
  -- The first bytes of the SHA-256 of the file: a file that is sent twice is stored once.
  content_hash BLOB NOT NULL,
  -- One zstd frame. Last, so that listing an event's files reads no file.
  data BLOB NOT NULL,
  PRIMARY KEY (project_id, event_id, number)
) STRICT;

CREATE INDEX attachments_by_age ON attachments (project_id, received_at);

CREATE TRIGGER attachments_added AFTER INSERT ON attachments BEGIN
  INSERT INTO attachment_totals (project_id, stored_bytes) VALUES (NEW.project_id, NEW.stored_bytes)
  ON CONFLICT (project_id) DO UPDATE SET stored_bytes = attachment_totals.stored_bytes + excluded.stored_bytes;
END;

CREATE TRIGGER attachments_removed AFTER DELETE ON attachments BEGIN
  UPDATE attachment_totals SET stored_bytes = stored_bytes - OLD.stored_bytes WHERE project_id = OLD.project_id;
END;

-- Bytes of a project's attachments. Triggers keep them, so that no statement can forget to.
CREATE TABLE attachment_totals (
  project_id INTEGER NOT NULL PRIMARY KEY,
  stored_bytes INTEGER NOT NULL
) STRICT;

-- Events that retention deleted, so that a look-up can say so: the first 6 bytes of each event id,
-- concatenated.
CREATE TABLE expired_digests (
  project_id INTEGER NOT NULL,
  -- Made from the time, like the ids of body blocks.
  id INTEGER NOT NULL,
  expired_at INTEGER NOT NULL,
  -- Which limit: age, count or bytes.
  reason TEXT NOT NULL,
  event_count INTEGER NOT NULL,
  digests BLOB NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

-- ---- Traces ----

-- Spans that arrived together: a transaction with its spans, or the spans of one trace in one request.
CREATE TABLE trace_segments (
  project_id INTEGER NOT NULL,
  -- Made from the time of its commit, like the ids of body blocks.
  id INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  -- Its root span; its first span if the root is in another segment.
  span_id BLOB NOT NULL,
  is_root INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_us INTEGER NOT NULL,
  span_count INTEGER NOT NULL,
  op TEXT NOT NULL,
  name TEXT NOT NULL,
  is_error INTEGER NOT NULL,
  environment TEXT NOT NULL,
  release TEXT,
  -- 0: too new to be chosen; 1: kept while there is room; 2: kept because it is slow, new, or has an error.
  worth INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  -- JSON, deflated with a dictionary. Last, so that lists do not read it.
  data BLOB NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

CREATE INDEX trace_segments_of_trace ON trace_segments (project_id, trace_id);

-- What is deleted first. Entries are made when a segment is chosen, so that ingest does not pay for them.
CREATE INDEX trace_segments_surplus ON trace_segments (project_id, id) WHERE worth = 1;

-- What the segments of a project take, and up to which id they have been chosen.
CREATE TABLE trace_totals (
  project_id INTEGER NOT NULL PRIMARY KEY,
  segment_count INTEGER NOT NULL,
  stored_bytes INTEGER NOT NULL,
  chosen_id INTEGER NOT NULL
) STRICT;

-- Names of root spans that have been seen: the first traces of a new one are kept.
CREATE TABLE trace_names (
  project_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, name)
) STRICT, WITHOUT ROWID;

-- ---- Figures of traces ----

-- What committed traces add to figures but has not been added yet: written with them, folded a moment later.
CREATE TABLE figure_deltas (
  project_id INTEGER NOT NULL,
  -- Made like the ids of body blocks.
  id INTEGER NOT NULL,
  -- JSON, see figures/figure-delta.ts.
  data TEXT NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

-- Names of transactions, groups of spans and routes.
CREATE TABLE figure_names (
  project_id INTEGER NOT NULL,
  -- Made of kind, op and name.
  id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- Of the transaction; the category of a group of spans.
  op TEXT NOT NULL,
  name TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  -- Start of the UTC day on which it was counted last: only so many names are counted a day.
  seen_day INTEGER NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

CREATE INDEX figure_names_of_day ON figure_names (project_id, kind, seen_day);

-- Durations of transactions and spans, and values of web vitals, in a minute, an hour or a day.
CREATE TABLE figures (
  project_id INTEGER NOT NULL,
  -- transaction: by environment. release: by release. span: by transaction. vital: by vital and device.
  series TEXT NOT NULL,
  step TEXT NOT NULL,
  -- When it begins.
  at INTEGER NOT NULL,
  name_id INTEGER NOT NULL,
  facet TEXT NOT NULL,
  value_count INTEGER NOT NULL,
  -- How many the senders had, of which they sent a share.
  weight REAL NOT NULL,
  failure_count INTEGER NOT NULL,
  good_count INTEGER NOT NULL,
  -- Microseconds.
  value_sum INTEGER NOT NULL,
  -- See src/traces/histogram.ts.
  histogram BLOB NOT NULL,
  PRIMARY KEY (project_id, series, step, at, name_id, facet)
) STRICT, WITHOUT ROWID;

-- ---- Outcomes ----

-- Accepted, filtered, rate-limited and lost items by hour.
CREATE TABLE outcome_hours (
  project_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  category TEXT NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  PRIMARY KEY (project_id, hour, category, outcome, reason)
) STRICT, WITHOUT ROWID;

-- The newest items that each filter dropped, a few a day: enough to see what a rule does.
CREATE TABLE filter_samples (
  project_id INTEGER NOT NULL,
  reason TEXT NOT NULL,
  -- Start of its UTC day.
  day INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  -- Random, so that several processes can write.
  id TEXT NOT NULL,
  category TEXT NOT NULL,
  title TEXT NOT NULL,
  environment TEXT NOT NULL,
  release TEXT,
  payload_bytes INTEGER NOT NULL,
  -- NULL: it was too large.
  payload BLOB,
  -- With trace_id, what a look-up by digest, event id or trace id finds the sample by.
  event_id BLOB,
  trace_id BLOB,
  PRIMARY KEY (project_id, reason, day, received_at, id)
) STRICT;

CREATE INDEX filter_samples_by_event ON filter_samples (project_id, event_id) WHERE event_id IS NOT NULL;
CREATE INDEX filter_samples_by_trace ON filter_samples (project_id, trace_id) WHERE trace_id IS NOT NULL;

-- Items on which Culvert's own code failed, with their bytes.
CREATE TABLE dead_letters (
  project_id INTEGER NOT NULL,
  -- Random, so that several processes can write.
  id TEXT NOT NULL,
  item_type TEXT NOT NULL,
  reason TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  payload BLOB NOT NULL,
  -- With origin, what a retry needs besides the bytes.
  category TEXT,
  -- JSON: the event id and headers of the item, and its source; see outcomes/dead-letters.ts.
  origin TEXT,
  PRIMARY KEY (project_id, id)
) STRICT;

CREATE INDEX dead_letters_by_age ON dead_letters (project_id, received_at);

-- ---- Releases and sessions ----

-- Releases of a project.
CREATE TABLE releases (
  project_id INTEGER NOT NULL,
  version TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  -- Of the version, see src/protocol/release-version.ts.
  package TEXT NOT NULL DEFAULT '',
  -- Sorts as versions do; empty where the version has no number, as the hash of a commit.
  version_order TEXT NOT NULL DEFAULT '',
  -- The time of the release's first event, or when a tool announced it. Later events do not change it.
  created_at INTEGER NOT NULL DEFAULT 0,
  -- As a tool reported it, with url and ref.
  released_at INTEGER,
  url TEXT,
  ref TEXT,
  -- 1: archived by `sentry-cli releases archive`.
  is_archived INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, version)
) STRICT, WITHOUT ROWID;

-- The newest by date and by version, of one project and of all. Counting events changes no column in them.
CREATE INDEX releases_project_date ON releases (project_id, coalesce(released_at, created_at), version);
CREATE INDEX releases_project_order ON releases (project_id, package, version_order) WHERE version_order <> '';
CREATE INDEX releases_date ON releases (coalesce(released_at, created_at), project_id, version);
CREATE INDEX releases_order ON releases (version_order, coalesce(released_at, created_at), project_id, version);
CREATE INDEX releases_version ON releases (version);

-- A release's other rows are deleted with it.
CREATE TRIGGER releases_removed AFTER DELETE ON releases BEGIN
  DELETE FROM release_environments WHERE project_id = OLD.project_id AND version = OLD.version;
  DELETE FROM deploys WHERE project_id = OLD.project_id AND version = OLD.version;
END;

CREATE TRIGGER release_commits_removed AFTER DELETE ON releases BEGIN
  DELETE FROM release_commits WHERE project_id = OLD.project_id AND version = OLD.version;
END;

CREATE TRIGGER session_series_of_release_removed AFTER DELETE ON releases BEGIN
  DELETE FROM session_series WHERE project_id = OLD.project_id AND version = OLD.version;
END;

-- When a release was first seen in an environment.
CREATE TABLE release_environments (
  project_id INTEGER NOT NULL,
  version TEXT NOT NULL,
  environment TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, version, environment)
) STRICT, WITHOUT ROWID;

-- Commits of a release.
CREATE TABLE release_commits (
  project_id INTEGER NOT NULL,
  version TEXT NOT NULL,
  -- Position in the list, from 1.
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  repository TEXT,
  message TEXT,
  author_name TEXT,
  author_email TEXT,
  committed_at INTEGER,
  -- JSON: the paths that it changed.
  files TEXT,
  PRIMARY KEY (project_id, version, number)
) STRICT, WITHOUT ROWID;

-- Deploys of a release.
CREATE TABLE deploys (
  project_id INTEGER NOT NULL,
  version TEXT NOT NULL,
  -- Made by the application. A deploy of a release in several projects has the same id in each.
  id INTEGER NOT NULL,
  environment TEXT NOT NULL,
  name TEXT,
  url TEXT,
  started_at INTEGER,
  finished_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, version, id)
) STRICT, WITHOUT ROWID;

-- Totals of the sessions of a release in an environment.
CREATE TABLE session_series (
  project_id INTEGER NOT NULL,
  version TEXT NOT NULL,
  environment TEXT NOT NULL,
  -- From projects.last_series_id: the short key of the other tables.
  id INTEGER NOT NULL,
  first_session_at INTEGER NOT NULL,
  last_session_at INTEGER NOT NULL,
  -- All sessions; those in none of the following counts were healthy.
  session_count INTEGER NOT NULL,
  errored_count INTEGER NOT NULL,
  unhandled_count INTEGER NOT NULL,
  abnormal_count INTEGER NOT NULL,
  crashed_count INTEGER NOT NULL,
  user_count INTEGER NOT NULL,
  crashed_user_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, version, environment)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX session_series_id ON session_series (project_id, id);

CREATE TRIGGER session_series_removed AFTER DELETE ON session_series BEGIN
  DELETE FROM session_hours WHERE project_id = OLD.project_id AND series_id = OLD.id;
  DELETE FROM session_days WHERE project_id = OLD.project_id AND series_id = OLD.id;
  DELETE FROM session_users WHERE project_id = OLD.project_id AND series_id = OLD.id;
END;

-- A series' sessions by the hour in which they began.
CREATE TABLE session_hours (
  project_id INTEGER NOT NULL,
  series_id INTEGER NOT NULL,
  -- When the sessions began.
  hour INTEGER NOT NULL,
  session_count INTEGER NOT NULL,
  errored_count INTEGER NOT NULL,
  unhandled_count INTEGER NOT NULL,
  abnormal_count INTEGER NOT NULL,
  crashed_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, series_id, hour)
) STRICT, WITHOUT ROWID;

-- A series' users by day.
CREATE TABLE session_days (
  project_id INTEGER NOT NULL,
  series_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  user_count INTEGER NOT NULL,
  crashed_user_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, series_id, day)
) STRICT, WITHOUT ROWID;

-- The smallest hashes of a series' users: a K-minimum-values sketch.
CREATE TABLE session_users (
  project_id INTEGER NOT NULL,
  series_id INTEGER NOT NULL,
  -- 0: all days.
  day INTEGER NOT NULL,
  is_crashed INTEGER NOT NULL,
  user_hash INTEGER NOT NULL,
  PRIMARY KEY (project_id, series_id, day, is_crashed, user_hash)
) STRICT, WITHOUT ROWID;

-- Sessions that are counted and may still change. An update moves a session from one count to another.
CREATE TABLE counted_sessions (
  project_id INTEGER NOT NULL,
  -- When the session began.
  hour INTEGER NOT NULL,
  series_id INTEGER NOT NULL,
  sid BLOB NOT NULL,
  seq INTEGER NOT NULL,
  -- The state in which it is counted: 0 healthy, 1 errored, 2 unhandled, 3 abnormal, 4 crashed.
  state INTEGER NOT NULL,
  PRIMARY KEY (project_id, hour, series_id, sid)
) STRICT, WITHOUT ROWID;

-- ---- Artifacts ----

-- Parts of uploads, by the SHA-1 of their bytes, until they are assembled into an artifact bundle.
CREATE TABLE artifact_chunks (
  organization_id INTEGER NOT NULL,
  checksum BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  byte_count INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (organization_id, checksum)
) STRICT;

CREATE INDEX artifact_chunks_age ON artifact_chunks (received_at);

-- Uploads of a tool: usually the files of one build.
CREATE TABLE artifact_bundles (
  project_id INTEGER NOT NULL,
  -- Made by the application.
  id INTEGER NOT NULL,
  -- SHA-1 of the archive.
  checksum BLOB NOT NULL,
  -- Empty: the files are found by debug id alone.
  release TEXT NOT NULL,
  dist TEXT NOT NULL,
  uploaded_at INTEGER NOT NULL,
  -- The day of its last use; before the first use, the time of the upload.
  used_at INTEGER NOT NULL,
  -- 0 while its files are being stored: no look-up finds them.
  is_complete INTEGER NOT NULL,
  file_count INTEGER NOT NULL,
  stored_bytes INTEGER NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

CREATE INDEX artifact_bundles_release ON artifact_bundles (project_id, release, uploaded_at);
CREATE INDEX artifact_bundles_age ON artifact_bundles (project_id, uploaded_at);

-- Files of an artifact bundle.
CREATE TABLE artifact_files (
  project_id INTEGER NOT NULL,
  -- Files whose bundle is deleted are unreachable; retention deletes them.
  bundle_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  -- source_map, minified_source …: from the manifest.
  kind TEXT NOT NULL,
  -- ~/assets/app.js
  url TEXT NOT NULL,
  debug_id BLOB,
  -- Of minified code: the URL of its source map, from the manifest.
  source_map_url TEXT,
  -- Of the file itself.
  byte_count INTEGER NOT NULL,
  -- Of data; 0: the file is only listed.
  stored_bytes INTEGER NOT NULL,
  -- The source map as one zstd frame.
  data BLOB,
  PRIMARY KEY (project_id, bundle_id, number)
) STRICT;

CREATE INDEX artifact_files_debug_id ON artifact_files (project_id, debug_id) WHERE debug_id IS NOT NULL;
CREATE INDEX artifact_files_url ON artifact_files (project_id, bundle_id, url);

-- ---- Upstreams ----

-- Upstreams: where a project's envelopes are forwarded to. The transaction that changes outbox changes the
-- counts, so that no query has to count rows.
CREATE TABLE upstreams (
  project_id INTEGER NOT NULL REFERENCES projects (id),
  -- Random.
  id TEXT NOT NULL,
  -- Without a secret key. Unique: the tunnel finds the project by it.
  dsn TEXT NOT NULL UNIQUE,
  -- The tunnel's `o` and `r`; NULL: only the envelope's DSN names the upstream.
  organization TEXT,
  region TEXT,
  -- HOST:PORT to connect to instead of the DSN's.
  connect TEXT,
  -- Which items are forwarded: all, errors.
  kinds TEXT NOT NULL,
  -- Where it is configured: settings, environment.
  source TEXT NOT NULL,
  -- 1: envelopes are queued and not sent.
  is_paused INTEGER NOT NULL DEFAULT 0,
  -- 1: the environment no longer names it. Queued envelopes are sent; new ones are not queued.
  is_retired INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  -- Counts up only, whatever the clock does: the order of commits.
  last_number INTEGER NOT NULL DEFAULT 0,
  waiting_count INTEGER NOT NULL DEFAULT 0,
  waiting_bytes INTEGER NOT NULL DEFAULT 0,
  failed_count INTEGER NOT NULL DEFAULT 0,
  failed_bytes INTEGER NOT NULL DEFAULT 0,
  delivered_count INTEGER NOT NULL DEFAULT 0,
  dropped_count INTEGER NOT NULL DEFAULT 0,
  -- JSON: the state of the sender; see upstreams/upstreams.ts.
  state TEXT NOT NULL DEFAULT '{}',
  -- How often a person requested an immediate attempt. The sending process sees that it has grown.
  tries_asked INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, id)
) STRICT;

-- Envelopes that wait for delivery, as they were received: unscrubbed, and deleted on delivery.
CREATE TABLE outbox (
  project_id INTEGER NOT NULL,
  upstream_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  -- The data category of the upstream's rate limits.
  category TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  client_address TEXT,
  user_agent TEXT,
  byte_count INTEGER NOT NULL,
  -- Set when the upstream rejected it for good: a person has to act.
  failed_at INTEGER,
  problem TEXT,
  body BLOB NOT NULL,
  -- Where the bytes are. NULL: in body, which is empty otherwise.
  block_number INTEGER,
  block_offset INTEGER,
  PRIMARY KEY (project_id, upstream_id, number)
) STRICT;

CREATE INDEX outbox_category ON outbox (project_id, upstream_id, category, number) WHERE failed_at IS NULL;
CREATE INDEX outbox_failed ON outbox (project_id, upstream_id, failed_at, number) WHERE failed_at IS NOT NULL;

-- A block is deleted with its last envelope. A count in the block's row would rewrite the whole block each
-- time.
CREATE TRIGGER outbox_removed AFTER DELETE ON outbox WHEN OLD.block_number IS NOT NULL BEGIN
  DELETE FROM outbox_blocks
  WHERE project_id = OLD.project_id AND upstream_id = OLD.upstream_id AND number = OLD.block_number
    AND NOT EXISTS (
      SELECT 1 FROM outbox o
      WHERE o.project_id = OLD.project_id AND o.upstream_id = OLD.upstream_id
        AND o.number BETWEEN outbox_blocks.number AND outbox_blocks.last_number
        AND o.block_number = outbox_blocks.number);
END;

CREATE TRIGGER outbox_moved AFTER UPDATE OF block_number ON outbox
WHEN OLD.block_number IS NOT NULL AND NEW.block_number IS NULL BEGIN
  DELETE FROM outbox_blocks
  WHERE project_id = OLD.project_id AND upstream_id = OLD.upstream_id AND number = OLD.block_number
    AND NOT EXISTS (
      SELECT 1 FROM outbox o
      WHERE o.project_id = OLD.project_id AND o.upstream_id = OLD.upstream_id
        AND o.number BETWEEN outbox_blocks.number AND outbox_blocks.last_number
        AND o.block_number = outbox_blocks.number);
END;

-- An envelope that is in no block has its bytes in its own row, for example a rejected one.
CREATE TRIGGER outbox_body_added AFTER INSERT ON outbox WHEN NEW.block_number IS NULL BEGIN
  INSERT INTO project_bytes (project_id, outbox_bytes)
  SELECT project_id, length(body) FROM outbox WHERE rowid = NEW.rowid
  ON CONFLICT (project_id) DO UPDATE SET outbox_bytes = project_bytes.outbox_bytes + excluded.outbox_bytes;
END;

CREATE TRIGGER outbox_body_changed AFTER UPDATE OF body ON outbox WHEN length(NEW.body) <> length(OLD.body) BEGIN
  UPDATE project_bytes SET outbox_bytes = outbox_bytes + length(NEW.body) - length(OLD.body)
  WHERE project_id = NEW.project_id;
END;

CREATE TRIGGER outbox_body_removed BEFORE DELETE ON outbox WHEN OLD.block_number IS NULL BEGIN
  UPDATE project_bytes SET outbox_bytes = outbox_bytes - (SELECT length(body) FROM outbox WHERE rowid = OLD.rowid)
  WHERE project_id = OLD.project_id;
END;

-- The bytes of waiting envelopes, those of one commit and one category together: 16 errors of 6 kB take 0.4
-- kB each that way, and 1.2 kB each on their own (measured).
CREATE TABLE outbox_blocks (
  project_id INTEGER NOT NULL,
  upstream_id TEXT NOT NULL,
  -- Of the first and the last envelope in it. Envelopes of other categories have numbers in between.
  number INTEGER NOT NULL,
  last_number INTEGER NOT NULL,
  raw_bytes INTEGER NOT NULL,
  -- One zstd frame.
  data BLOB NOT NULL,
  PRIMARY KEY (project_id, upstream_id, number)
) STRICT;

CREATE TRIGGER outbox_blocks_added AFTER INSERT ON outbox_blocks BEGIN
  INSERT INTO project_bytes (project_id, outbox_bytes)
  SELECT project_id, length(data) FROM outbox_blocks WHERE rowid = NEW.rowid
  ON CONFLICT (project_id) DO UPDATE SET outbox_bytes = project_bytes.outbox_bytes + excluded.outbox_bytes;
END;

CREATE TRIGGER outbox_blocks_changed AFTER UPDATE OF data ON outbox_blocks BEGIN
  UPDATE project_bytes SET outbox_bytes = outbox_bytes + length(NEW.data) - length(OLD.data)
  WHERE project_id = NEW.project_id;
END;

CREATE TRIGGER outbox_blocks_dropped BEFORE DELETE ON outbox_blocks BEGIN
  UPDATE project_bytes SET
    outbox_bytes = outbox_bytes - (SELECT length(data) FROM outbox_blocks WHERE rowid = OLD.rowid)
  WHERE project_id = OLD.project_id;
END;
