-- Who looks after the issue: a user's id.
ALTER TABLE issues ADD COLUMN assignee_id TEXT;
-- What brings a resolved or an archived issue back: JSON, see issue-terms.ts. Absent where nothing special was said.
ALTER TABLE issues ADD COLUMN terms TEXT;
-- The time among the terms of an archived issue, for finding those whose time has come.
ALTER TABLE issues ADD COLUMN archived_until_at INTEGER;

CREATE INDEX issues_assignee ON issues (assignee_id, status, last_seen_at, id) WHERE assignee_id IS NOT NULL;
CREATE INDEX issues_archived_until ON issues (archived_until_at) WHERE archived_until_at IS NOT NULL;

-- What people, and the system, did to issues, and what people say about them.
CREATE TABLE issue_activity (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  -- Made from the time, so that it sorts by it, and chance.
  id TEXT NOT NULL,
  -- The same for all issues that one action changed: by it the action is taken back.
  action_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Absent: the system did it.
  user_id TEXT,
  kind TEXT NOT NULL,
  -- JSON by kind, see issue-activity.ts.
  detail TEXT NOT NULL,
  -- When a comment was changed last.
  edited_at INTEGER,
  PRIMARY KEY (project_id, issue_id, id)
) STRICT, WITHOUT ROWID;
