-- How often events or time have reopened an issue of the project. Together with `last_issue_number` it tells an open list that
-- it has changed.
ALTER TABLE projects ADD COLUMN reopened_count INTEGER NOT NULL DEFAULT 0;
