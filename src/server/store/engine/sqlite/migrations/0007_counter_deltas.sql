-- What committed events add to issue_hours, issue_tags and issue_users and has not been added yet: written with the
-- events, folded soon after.
CREATE TABLE counter_deltas (
  project_id INTEGER NOT NULL,
  -- Made like the ids of body blocks.
  id INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  -- JSON, see counter-delta.ts.
  data TEXT NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

-- The environments an issue has events in: what the stream is filtered by, so it is always up to date.
CREATE TABLE issue_environments (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  environment TEXT NOT NULL,
  PRIMARY KEY (project_id, issue_id, environment)
) STRICT, WITHOUT ROWID;

INSERT INTO issue_environments (project_id, issue_id, environment)
SELECT project_id, issue_id, value FROM issue_tags WHERE key = 'environment';
