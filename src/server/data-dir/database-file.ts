import { closeSync, fsyncSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorMessage, OperatorError } from '#server/errors.ts'
import { readOwnMigrations } from '#server/store/engine/migrations.ts'
import { findSchemaMismatch } from '#server/store/engine/sqlite/apply-migrations.ts'

/** The path of the database in a data directory. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'culvert.db')
}

/** Opens a database read-only, without migrations. Throws an `OperatorError` if that fails. */
export function openReadOnly(path: string): DatabaseSync {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined)
      throw new OperatorError(`No database at ${JSON.stringify(path)}.`)
    const sqlite = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
    sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
    return sqlite
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${JSON.stringify(path)} cannot be read: ${errorMessage(error)}.`)
  }
}

/** The result of checking all pages of a database. */
export interface FileCheck {
  /** The first problems that `PRAGMA integrity_check` reports; empty if there are none. */
  problems: string[]
  /** The last migration; 0 if the file is not a Culvert database. */
  schemaVersion: number
}

/** Checks every page of an open database, in seconds per gigabyte. Does not throw on damage. */
export function checkDatabase(sqlite: DatabaseSync): FileCheck {
  return { problems: findProblems(sqlite), schemaVersion: readSchemaVersion(sqlite) }
}

/** Why this version cannot use a database's schema, as the end of a sentence. Undefined if it can. */
export async function findMismatch(sqlite: DatabaseSync): Promise<string | undefined> {
  return findSchemaMismatch(sqlite, (await readOwnMigrations()).sqlite)
}

/** The schema version of this Culvert. */
export async function ownSchemaVersion(): Promise<number> {
  return (await readOwnMigrations()).sqlite.at(-1)?.version ?? 0
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

/** Syncs a file and its directory entry to disk. */
export function syncFile(path: string): void {
  for (const target of [path, dirname(path)]) {
    const file = openSync(target, 'r')
    fsyncSync(file)
    closeSync(file)
  }
}
