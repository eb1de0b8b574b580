import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { keptTables } from './kept-tables.ts'
import { findSchemaDamage, type SchemaShape } from './schema-shape.ts'
import { findUnavailability } from './store-error.ts'
import type { UnavailableReason } from './store-error.ts'

/** True when a failure says that the file itself is broken: waiting does not help. */
export function isDamage(reason: UnavailableReason | undefined): boolean {
  return reason === 'CORRUPT' || reason === 'NOTADB'
}

/**
 * Leaves word beside the file that it is damaged, for the next start: looking through a large file would take it too
 * long to find out for itself.
 */
export function markDamage(path: string, problem: string): void {
  try {
    writeFileSync(markPath(path), `${problem}\n`)
  } catch {
    // On a disk that takes nothing there is nothing to be done, and the log has it already.
  }
}

/** Takes the word back. */
export function unmarkDamage(path: string): void {
  rmSync(markPath(path), { force: true })
}

/**
 * What is wrong with a database file, in SQLite's words where SQLite knows; undefined when nothing was found. Its schema is
 * compared with `own`, the one that this Culvert makes. A file of up to
 * `limits.startCheckBytes` is looked through, of a larger one only the tables with what people have set up. The caller
 * has the data directory for itself. Throws when the file cannot be read for another reason.
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
    // These statements are right: where SQLite finds fault with one, the schema is hurt.
    if (unavailability === undefined || isDamage(unavailability.reason)) return errorMessage(error)
    throw error
  }
}

function checksFor(path: string): string[] {
  if (statSync(path).size <= limits.startCheckBytes) return ['PRAGMA quick_check(1)']
  return keptTables.map(({ name }) => `PRAGMA quick_check(${name})`)
}

function runCheck(sqlite: DatabaseSync, check: string): string | undefined {
  const found = sqlite.prepare(check).get()?.['quick_check']
  return found === 'ok' ? undefined : String(found).replaceAll('\n', ' ')
}

function markPath(path: string): string {
  return `${path}-damaged`
}
