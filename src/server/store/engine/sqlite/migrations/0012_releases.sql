-- What a release's name says (src/protocol/release-version.ts): release_package() and release_order() are this program's.
ALTER TABLE releases ADD COLUMN package TEXT NOT NULL DEFAULT '';
-- Sorts as versions do; empty where the name counts nothing, as a commit's hash.
ALTER TABLE releases ADD COLUMN version_order TEXT NOT NULL DEFAULT '';
-- When it was first heard of, by its first event's time or by a tool. Later events do not move it.
ALTER TABLE releases ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
-- What a tool said of it.
ALTER TABLE releases ADD COLUMN released_at INTEGER;
ALTER TABLE releases ADD COLUMN url TEXT;
ALTER TABLE releases ADD COLUMN ref TEXT;

UPDATE releases SET package = release_package(version), version_order = release_order(version), created_at = first_seen_at;

-- The newest by date and by version, of one project and of all. No column in them changes when events are counted.
CREATE INDEX releases_project_date ON releases (project_id, coalesce(released_at, created_at), version);
CREATE INDEX releases_project_order ON releases (project_id, package, version_order) WHERE version_order <> '';
CREATE INDEX releases_date ON releases (coalesce(released_at, created_at), project_id, version);
CREATE INDEX releases_order ON releases (version_order, coalesce(released_at, created_at), project_id, version);
CREATE INDEX releases_version ON releases (version);

CREATE TABLE release_environments (
  project_id INTEGER NOT NULL,
  version TEXT NOT NULL,
  environment TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, version, environment)
) STRICT, WITHOUT ROWID;

CREATE TABLE deploys (
  project_id INTEGER NOT NULL,
  version TEXT NOT NULL,
  -- Made by the application; the deploy of a release in several projects has one id in all of them.
  id INTEGER NOT NULL,
  environment TEXT NOT NULL,
  name TEXT,
  url TEXT,
  started_at INTEGER,
  finished_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, version, id)
) STRICT, WITHOUT ROWID;

-- Whoever deletes a release cannot forget what belongs to it.
CREATE TRIGGER releases_removed AFTER DELETE ON releases BEGIN
  DELETE FROM release_environments WHERE project_id = OLD.project_id AND version = OLD.version;
  DELETE FROM deploys WHERE project_id = OLD.project_id AND version = OLD.version;
END;

-- The release whose event reopened the issue last.
ALTER TABLE issues ADD COLUMN regressed_release TEXT;

CREATE INDEX issues_first_release ON issues (first_release, project_id, id) WHERE first_release IS NOT NULL;
CREATE INDEX issues_regressed_release ON issues (regressed_release, project_id, id)
  WHERE regressed_release IS NOT NULL;
