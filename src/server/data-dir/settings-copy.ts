import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import * as v from 'valibot'
import { errorMessage } from '#server/errors.ts'
import type { Connection } from '#server/store/engine/connection.ts'
import { fleetingSettings, keptTables } from '#server/store/engine/sqlite/kept-tables.ts'

/**
 * Projects, keys, accounts and settings in a small file next to the database, so that a damaged database
 * loses only events. It is as secret as the database.
 */
export function settingsCopyPath(dataDir: string): string {
  return join(dataDir, 'culvert-settings.json')
}

/** Where a start keeps a copy that differs from the database. */
export function earlierCopyPath(copyPath: string): string {
  return copyPath.replace(/\.json$/, '.earlier.json')
}

const Cell = v.union([v.null(), v.string(), v.number()])

const Tables = v.record(v.string(), v.object({ columns: v.array(v.string()), rows: v.array(v.array(Cell)) }))

/** Rows of `keptTables`, by table. */
export type SettingsCopy = v.InferOutput<typeof Tables>

/** The state of the copy's file. */
export type FoundCopy =
  | { kind: 'none' }
  | { kind: 'read'; copy: SettingsCopy }
  | { kind: 'unreadable'; problem: string }

/** The first line, before the SHA-256 of the rest: a damaged copy must not be restored. */
const firstLine = 'culvert settings 1 '

/** Reads a copy. Does not throw on damage. */
export function readSettingsCopy(path: string): FoundCopy {
  try {
    const text = readFileSync(path, 'utf8')
    const end = text.indexOf('\n')
    const body = text.slice(end + 1)
    if (text.slice(0, end) !== firstLine + checksum(body))
      return { kind: 'unreadable', problem: 'its checksum is not that of its content' }
    return { kind: 'read', copy: v.parse(v.pipe(v.string(), v.parseJson(), Tables), body) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { kind: 'none' }
    return { kind: 'unreadable', problem: errorMessage(error) }
  }
}

/** Serializes a copy deterministically. */
export function toCopyText(copy: SettingsCopy): string {
  const body = `${JSON.stringify(copy, null, 1)}\n`
  return `${firstLine}${checksum(body)}\n${body}`
}

/** True if a copy contains accounts. */
export function hasAccounts(copy: SettingsCopy): boolean {
  return (copy['users']?.rows.length ?? 0) > 0
}

/**
 * Reads a consistent snapshot of the settings from a database, in milliseconds for a thousand projects.
 * Throws if the database is unreadable.
 */
export function dumpSettings(databasePath: string): SettingsCopy {
  const sqlite = new DatabaseSync(databasePath, { readOnly: true, timeout: 5_000 })
  try {
    sqlite.exec('BEGIN')
    const copy: SettingsCopy = {}
    const columnsOf = sqlite.prepare(columnNames)
    for (const { name, columns } of keptTables) {
      const found = columnsOf.all(name).map(toName)
      // A database of an earlier version lacks later tables.
      if (found.length > 0) copy[name] = dumpTable(sqlite, name, columns ?? found)
    }
    return copy
  } finally {
    sqlite.close()
  }
}

const columnNames = 'SELECT name FROM pragma_table_info(?)'
const toName = (row: Record<string, unknown>) => String(row['name'])

/** The columns of a table; empty if the table does not exist. */
export function listColumns(sqlite: Connection, table: string): string[] {
  return sqlite.prepare(columnNames).all(table).map(toName)
}

function dumpTable(sqlite: DatabaseSync, name: string, columns: readonly string[]): SettingsCopy[string] {
  const list = columns.map((column) => `"${column}"`).join(', ')
  const rows = sqlite
    .prepare(`SELECT ${list} FROM "${name}" ORDER BY 1, 2`)
    .all()
    .map((row) => columns.map((column) => toCell(row[column])))
  const isKept = (row: readonly unknown[]) =>
    name !== 'settings' || !fleetingSettings.includes(String(row[columns.indexOf('key')]))
  return { columns: [...columns], rows: rows.filter(isKept) }
}

function toCell(value: SQLInputValue | undefined): v.InferOutput<typeof Cell> {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new TypeError(`a copy of the settings holds no ${typeof value}`)
}

/**
 * Replaces the copy once the new one is on disk. Readable by the same accounts as the database. Rejects if it
 * cannot be written.
 */
export async function writeSettingsCopy(
  path: string,
  { text, databasePath }: { text: string; databasePath: string },
): Promise<void> {
  const part = `${path}.${process.pid}.part`
  try {
    const file = await open(part, 'w', 0o600)
    try {
      await file.writeFile(text)
      await shareAs(databasePath, file)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** The command line may run as another user than the server, which must be able to read the copy. */
async function shareAs(databasePath: string, file: FileHandle): Promise<void> {
  const { mode, uid, gid } = await stat(databasePath)
  await file.chmod(mode & 0o666)
  const own = await file.stat()
  // Only root can change the owner; otherwise the mode must suffice.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => undefined)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync()
  await folder.close()
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
