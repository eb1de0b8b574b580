-- An issue that was merged into another one, or what the other one was before: its parts. Each goes on counting its own
-- events, in this row and in issue_hours, issue_tags, issue_users and issue_environments, so that it can be taken out
-- again as what it would have been. See issue-parts.ts.
CREATE TABLE issue_parts (
  project_id INTEGER NOT NULL,
  -- The merged issue's; of the part that an issue was before the first merge, the issue's with the sign turned.
  id INTEGER NOT NULL,
  -- The issue it is a part of.
  issue_id INTEGER NOT NULL,
  merged_at INTEGER NOT NULL,
  -- What follows are the columns of issues, under the same names.
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
  terms TEXT,
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

-- The part of a merged issue that the hash belongs to; absent while its issue has none.
ALTER TABLE issue_hashes ADD COLUMN part_id INTEGER;

-- The part that a merged issue's event belongs to; absent of what the issue was before.
ALTER TABLE events ADD COLUMN part_id INTEGER;
CREATE INDEX events_of_part ON events (project_id, part_id) WHERE part_id IS NOT NULL;

-- Its issue is gone and its events still have to go.
ALTER TABLE expired_issues ADD COLUMN has_events INTEGER NOT NULL DEFAULT 0;

-- Group hashes whose events are dropped when they come; in issue_hashes they lead to the issue 0.
CREATE TABLE discarded_hashes (
  project_id INTEGER NOT NULL,
  hash BLOB NOT NULL,
  title TEXT NOT NULL,
  subtitle TEXT NOT NULL,
  discarded_at INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  PRIMARY KEY (project_id, hash)
) STRICT, WITHOUT ROWID;
