import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorMessage, OperatorError } from '#server/errors.ts'
import { findSchemaMismatch, readOwnMigrations } from '#server/store/engine/sqlite/migrations.ts'

/** The database file of a data directory. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'culvert.db')
}

/**
 * Opens a database only to read it, without bringing its schema up to date. Raises an `OperatorError` when
 * that fails.
 */
export function openReadOnly(path: string): DatabaseSync {
  if (!existsSync(path)) throw new OperatorError(`No database at ${JSON.stringify(path)}.`)
  try {
    const sqlite = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
    sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
    return sqlite
  } catch (error) {
    throw new OperatorError(`${JSON.stringify(path)} cannot be read: ${errorMessage(error)}.`)
  }
}

/** A look at a database through all of its pages. */
export interface FileCheck {
  /** What `PRAGMA integrity_check` complains of, the first few; empty when the file is sound. */
  problems: string[]
  /** The last migration it has; 0 when it is no database of Culvert's. */
  schemaVersion: number
}

/**
 * Looks through every page of an open database. Takes seconds for each gigabyte. Never throws because of
 * damage.
 */
export function checkDatabase(sqlite: DatabaseSync): FileCheck {
  return { problems: findProblems(sqlite), schemaVersion: readSchemaVersion(sqlite) }
}

/**
 * Why this Culvert cannot use the schema of a database, as the rest of a sentence about it; undefined when it
 * can.
 */
export async function findMismatch(sqlite: DatabaseSync): Promise<string | undefined> {
  return findSchemaMismatch(sqlite, await readOwnMigrations())
}

/** The version of the schema that this Culvert brings databases to. */
export async function ownSchemaVersion(): Promise<number> {
  return (await readOwnMigrations()).at(-1)?.version ?? 0
}

function findProblems(sqlite: DatabaseSync): string[] {
  try {
    const rows = sqlite.prepare('PRAGMA integrity_check(10)').all()
    return rows.map((row) => String(row['integrity_check'])).filter((line) => line !== 'ok')
  } catch (error) {
    return [errorMessage(error)]
  }
}

function readSchemaVersion(sqlite: DatabaseSync): number {
  try {
    return Number(sqlite.prepare('SELECT max(version) AS version FROM schema_migrations').get()?.['version'])
  } catch {
    return 0
  }
}

/** Puts a file, and its entry in its folder, on the disk. */
export function syncFile(path: string): void {
  for (const target of [path, dirname(path)]) {
    const file = openSync(target, 'r')
    fsyncSync(file)
    closeSync(file)
  }
}
