-- What events of an issue tell besides their tags: types of exceptions, functions of stacks, SDKs. What the stream is searched
-- by, and nothing that is counted.
CREATE TABLE issue_traits (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  -- A word of the search language: event-traits.ts.
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (project_id, issue_id, key, value)
) STRICT, WITHOUT ROWID;

CREATE INDEX issue_traits_value ON issue_traits (project_id, key, value, issue_id);

-- By project first, so that what is searched and suggested is looked up in the projects that the reader reaches, and in no other.
DROP INDEX issue_tags_value;
CREATE INDEX issue_tags_value ON issue_tags (project_id, key, value, issue_id);

-- With the project, so that issues of projects out of reach are passed over without reading their rows.
DROP INDEX issues_last_seen;
DROP INDEX issues_first_seen;
DROP INDEX issues_events;
DROP INDEX issues_users;
DROP INDEX issues_trend;
CREATE INDEX issues_last_seen ON issues (status, last_seen_at, id, project_id);
CREATE INDEX issues_first_seen ON issues (status, first_seen_at, id, project_id);
CREATE INDEX issues_events ON issues (status, event_count, id, project_id);
CREATE INDEX issues_users ON issues (status, user_count, id, project_id);
CREATE INDEX issues_trend ON issues (status, trend, id, project_id);
