-- Counts up only: the number of a series that is gone is never given to another one.
ALTER TABLE projects ADD COLUMN last_series_id INTEGER NOT NULL DEFAULT 0;

-- A release in an environment, with all sessions of it that were counted: nobody adds up hours for a list.
CREATE TABLE session_series (
  project_id INTEGER NOT NULL,
  version TEXT NOT NULL,
  environment TEXT NOT NULL,
  -- From projects.last_series_id: what the other tables know it by, being short.
  id INTEGER NOT NULL,
  first_session_at INTEGER NOT NULL,
  last_session_at INTEGER NOT NULL,
  -- All of them; those that are none of the following were healthy.
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

-- Distinct users cannot be added up: a sketch for each day.
CREATE TABLE session_days (
  project_id INTEGER NOT NULL,
  series_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  user_count INTEGER NOT NULL,
  crashed_user_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, series_id, day)
) STRICT, WITHOUT ROWID;

-- The smallest hashes of users, of those whose session crashed apart: K-minimum-values sketches, as in issue_users.
CREATE TABLE session_users (
  project_id INTEGER NOT NULL,
  series_id INTEGER NOT NULL,
  -- 0: of all days.
  day INTEGER NOT NULL,
  is_crashed INTEGER NOT NULL,
  user_hash INTEGER NOT NULL,
  PRIMARY KEY (project_id, series_id, day, is_crashed, user_hash)
) STRICT, WITHOUT ROWID;

-- Sessions of the last days one by one: an update, or the same one again, is counted once.
CREATE TABLE counted_sessions (
  project_id INTEGER NOT NULL,
  -- When it began.
  hour INTEGER NOT NULL,
  series_id INTEGER NOT NULL,
  sid BLOB NOT NULL,
  seq INTEGER NOT NULL,
  -- The state it is counted under: 0 healthy, 1 errored, 2 unhandled, 3 abnormal, 4 crashed.
  state INTEGER NOT NULL,
  PRIMARY KEY (project_id, hour, series_id, sid)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER session_series_of_release_removed AFTER DELETE ON releases BEGIN
  DELETE FROM session_series WHERE project_id = OLD.project_id AND version = OLD.version;
END;

-- Not counted_sessions, which are in the order of their age and go by it.
CREATE TRIGGER session_series_removed AFTER DELETE ON session_series BEGIN
  DELETE FROM session_hours WHERE project_id = OLD.project_id AND series_id = OLD.id;
  DELETE FROM session_days WHERE project_id = OLD.project_id AND series_id = OLD.id;
  DELETE FROM session_users WHERE project_id = OLD.project_id AND series_id = OLD.id;
END;
