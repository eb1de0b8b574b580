import type { DatabaseSync } from 'node:sqlite'
import { findNewerSchema, SchemaMismatchError, type Migration } from '#server/store/engine/migrations.ts'

/**
 * Applies all pending migrations, one transaction each, recorded in `schema_migrations`. Safe when several
 * processes do it at the same time: the version is read again under the write lock. A migration that fails
 * leaves the database at the previous one. Throws a `SchemaMismatchError` if the database has a newer
 * version, or one before the first release.
 */
export function applySqliteMigrations(
  sqlite: DatabaseSync,
  migrations: Migration[],
  clock: () => number,
): void {
  sqlite.exec(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL
     ) STRICT`,
  )
  const mismatch = findSchemaMismatch(sqlite, migrations)
  if (mismatch !== undefined) throw new SchemaMismatchError(`the database ${mismatch}`)
  for (const migration of migrations) applyMigration(sqlite, migration, clock)
}

/**
 * Throws a `SchemaMismatchError` if the migrations would upgrade a database: only a start and `culvert
 * migrate` may, because a server of an earlier version may have it open.
 */
export function rejectOldSchema(sqlite: DatabaseSync, migrations: Migration[]): void {
  const table = sqlite.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'`).get()
  const found = table === undefined ? 0 : readVersion(sqlite)
  const newest = migrations.at(-1)?.version ?? 0
  if (found === 0 || found >= newest) return
  throw new SchemaMismatchError(
    `the database has schema version ${found}, this Culvert needs ${newest}. Back it up with "culvert backup FILE", ` +
      'stop the server, then start this version or run "culvert migrate"',
  )
}

/**
 * The reason why the migrations cannot upgrade a database with `schema_migrations`, as the rest of a sentence
 * about the database; undefined if they can.
 */
export function findSchemaMismatch(sqlite: DatabaseSync, migrations: Migration[]): string | undefined {
  const applied = sqlite.prepare('SELECT version, name FROM schema_migrations ORDER BY version').all()
  const found = Number(applied.at(-1)?.['version'] ?? 0)
  if (applied[0]?.['name'] === firstOfDevelopment) return madeInDevelopment
  return findNewerSchema(found, migrations)
}

/**
 * The name of the first migration in versions before the first release. Other names are not compared: a
 * damaged byte in one must not keep a database from starting.
 */
const firstOfDevelopment = '0001_projects_issues_events'

/** The settings are copied next to the database, so a start without the database restores them. */
const madeInDevelopment =
  'was made by a development version of Culvert that was never released, and cannot be upgraded. It is unchanged: ' +
  'start that version with it; or move culvert.db away, together with culvert.db-wal and culvert.db-shm if they exist. ' +
  'The next start then makes a new database with the projects, keys and accounts of culvert-settings.json'

function applyMigration(sqlite: DatabaseSync, migration: Migration, clock: () => number): void {
  if (readVersion(sqlite) >= migration.version) return
  sqlite.exec('BEGIN IMMEDIATE')
  try {
    if (readVersion(sqlite) < migration.version) {
      sqlite.exec(migration.sql)
      sqlite
        .prepare('INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?)')
        .run(migration.version, migration.name, clock())
    }
    sqlite.exec('COMMIT')
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
    throw new Error(`migration ${migration.name} failed; the database is as it was before it`, {
      cause: error,
    })
  }
}

function readVersion(sqlite: DatabaseSync): number {
  const row = sqlite.prepare('SELECT coalesce(max(version), 0) AS version FROM schema_migrations').get()
  return Number(row?.['version'])
}
