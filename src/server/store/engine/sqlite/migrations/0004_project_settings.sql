-- What people set for a project and for a key of it: JSON documents that hold only what differs from the defaults, so that
-- a default can change with the code. `project-settings.ts` says what is in them.
ALTER TABLE projects ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE project_keys ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
