import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

/** One step of the schema: a file `NNNN_name.sql` of plain SQL. */
export interface Migration {
  version: number
  name: string
  sql: string
}

/** This Culvert cannot use the database's schema. Its message says what to do. */
export class SchemaMismatchError extends Error {
  override readonly name = 'SchemaMismatchError'
}

/**
 * What the build put in for `src/server/store/engine/sqlite/migrations` (vite.config.ts); undeclared when run
 * from source.
 */
declare const __CULVERT_MIGRATIONS__: Migration[] | undefined

/**
 * The migrations of this Culvert, lowest version first. From source they are read from the files next to this
 * module; a bundle has no such files, so the build inlines them.
 */
export async function readOwnMigrations(): Promise<Migration[]> {
  if (typeof __CULVERT_MIGRATIONS__ !== 'undefined') return __CULVERT_MIGRATIONS__
  return readMigrations(join(import.meta.dirname, 'migrations'))
}

/** Reads the migrations of a folder, lowest version first. Throws when a number is missing or used twice. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  const migrations: Migration[] = []
  for (const [index, file] of files.entries()) {
    const version = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1])
    if (version !== index + 1) throw new Error(`migration ${file}: expected number ${index + 1}`)
    // One after another: a process may be allowed few open files, and this happens once.
    migrations.push({ version, name: file.slice(0, -4), sql: await readFile(join(folder, file), 'utf8') })
  }
  return migrations
}

/**
 * Brings the database up to the last migration, one transaction each, recorded in `schema_migrations`.
 *
 * Safe when several processes do it at once: the version is read again under the write lock. A migration that
 * fails leaves the database at the one before it. Throws a `SchemaMismatchError` when the database is of a
 * newer version, or of one before the first release.
 */
export function applyMigrations(sqlite: DatabaseSync, migrations: Migration[], clock: () => number): void {
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
 * Why the migrations cannot upgrade a database that has `schema_migrations`, as the rest of a sentence about
 * the database; undefined when they can.
 */
export function findSchemaMismatch(sqlite: DatabaseSync, migrations: Migration[]): string | undefined {
  const applied = sqlite.prepare('SELECT version, name FROM schema_migrations ORDER BY version').all()
  const newest = migrations.at(-1)?.version ?? 0
  const found = Number(applied.at(-1)?.['version'] ?? 0)
  if (applied[0]?.['name'] === firstOfDevelopment) return madeInDevelopment
  if (found <= newest) return undefined
  return (
    `was written by a newer Culvert: its schema has version ${found}, this one knows ${newest}. ` +
    'Start the newer version, or restore a backup from before the upgrade'
  )
}

/**
 * The name of the first migration in versions before the first release. Other names are not compared: a
 * changed byte in one must not keep a database from starting.
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
