-- The smallest hashes of the users of a project's events: a K-minimum-values sketch, as in issue_users. It gives the share of a
-- project's users that an issue affects.
CREATE TABLE project_users (
  project_id INTEGER NOT NULL REFERENCES projects (id),
  user_hash INTEGER NOT NULL,
  PRIMARY KEY (project_id, user_hash)
) STRICT, WITHOUT ROWID;

-- How many users the sketch stands for: a row as soon as there is one. Not a column of projects, which is copied without the sketch.
CREATE TABLE project_user_counts (
  project_id INTEGER NOT NULL PRIMARY KEY REFERENCES projects (id),
  user_count INTEGER NOT NULL
) STRICT;

-- The smallest hashes of a union are among the smallest of its parts. Rows of deleted projects wait for retention.
INSERT INTO project_users (project_id, user_hash)
SELECT project_id, user_hash FROM (
  SELECT project_id, user_hash, row_number() OVER (PARTITION BY project_id ORDER BY user_hash) AS position
  FROM (SELECT DISTINCT project_id, user_hash FROM issue_users WHERE project_id IN (SELECT id FROM projects)))
WHERE position <= 1024;

-- As `estimateUserCount` does it.
INSERT INTO project_user_counts (project_id, user_count)
SELECT project_id, CASE WHEN count(*) < 1024 THEN count(*)
  ELSE max(1024, CAST(round(1023 * 9007199254740992.0 / max(1, max(user_hash))) AS INTEGER)) END
FROM project_users GROUP BY project_id;
