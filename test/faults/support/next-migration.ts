import { readOwnMigrations, type Migration } from '#server/store/engine/migrations.ts'

/**
 * A migration of an existing database: a new table with rows from another one, a column, an index, and a
 * rebuilt table.
 */
const sql = `CREATE TABLE next_teams (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL) STRICT;
INSERT INTO next_teams (id, name) SELECT id, name FROM organizations;
ALTER TABLE projects ADD COLUMN next_team_id INTEGER REFERENCES next_teams (id);
UPDATE projects SET next_team_id = organization_id;
CREATE INDEX projects_next_team ON projects (next_team_id);
CREATE TABLE next_leases (name TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL) STRICT;
DROP TABLE leases;
ALTER TABLE next_leases RENAME TO leases;
`

/** Culvert's migrations and one after them, so that kills hit both the first start and an upgrade. */
export async function readMigrationsAndNext(): Promise<Migration[]> {
  const own = (await readOwnMigrations()).sqlite
  const version = own.length + 1
  return [...own, { version, name: `${String(version).padStart(4, '0')}_next`, sql }]
}
