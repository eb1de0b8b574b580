import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { findUnavailability, type UnavailableReason } from '#server/store/errors.ts'
import { keptTables } from './kept-tables.ts'
import { findSchemaDamage, type SchemaShape } from './schema-shape.ts'

/** True for a failure caused by a damaged file: waiting does not help. */
export function isDamage(reason: UnavailableReason | undefined): boolean {
  return reason === 'CORRUPT' || reason === 'NOTADB'
}

/**
 * Writes a marker next to a damaged file for the next start, because checking a large file at startup takes
 * too long.
 */
export function markDamage(path: string, problem: string): void {
  try {
    writeFileSync(markPath(path), `${problem}\n`)
  } catch {
    // If the disk accepts no writes, the problem is only in the log.
  }
}

/** Removes the marker. */
export function unmarkDamage(path: string): void {
  rmSync(markPath(path), { force: true })
}

/**
 * The damage of a database file, in SQLite's words if SQLite detects it; undefined if none was found. The
 * schema is compared with `own`, the schema of this version. A file of up to `limits.startCheckBytes` is
 * checked completely, in a larger one only the configuration tables. Their indexes are compared with them in
 * both cases. Requires exclusive use of the data directory. Throws if the file cannot be read for another
 * reason.
 */
export function findDamage(path: string, own: SchemaShape): string | undefined {
  if (!existsSync(path) || statSync(path).size === 0) return undefined
  if (existsSync(markPath(path))) return 'damage was found while the server ran'
  try {
    const sqlite = new DatabaseSync(path)
    try {
      const problems = checksFor(path).map((check) => runCheck(sqlite, check))
      return problems.find((problem) => problem !== undefined) ?? findSchemaDamage(sqlite, own)
    } finally {
      sqlite.close()
    }
  } catch (error) {
    const unavailability = findUnavailability(error)
    // These statements are valid: if SQLite rejects one, the schema is damaged.
    if (unavailability === undefined || isDamage(unavailability.reason)) return errorMessage(error)
    throw error
  }
}

/**
 * `quick_check` does not compare indexes with their tables. For the configuration tables the indexes are
 * checked, too: the tables are small, and a DSN key that is missing in its index would be rejected.
 */
function checksFor(path: string): string[] {
  const ofKeptTables = keptTables.map(({ name }) => `PRAGMA integrity_check(${name})`)
  return statSync(path).size <= limits.startCheckBytes
    ? ['PRAGMA quick_check(1)', ...ofKeptTables]
    : ofKeptTables
}

function runCheck(sqlite: DatabaseSync, check: string): string | undefined {
  const [found] = Object.values(sqlite.prepare(check).get() ?? {})
  return found === 'ok' ? undefined : String(found).replaceAll('\n', ' ')
}

function markPath(path: string): string {
  return `${path}-damaged`
}
