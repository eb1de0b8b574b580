import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import * as v from 'valibot'
import { errorMessage } from '#server/errors.ts'
import { fleetingSettings, keptTables } from '#server/store/engine/sqlite/kept-tables.ts'

/**
 * What people have set up, in a small file of its own beside the database: a damaged database loses events,
 * and no project, key or account. It is as secret as the database.
 */
export function settingsCopyPath(dataDir: string): string {
  return join(dataDir, 'culvert-settings.json')
}

/** Where a start keeps a copy that differed from the database. */
export function earlierCopyPath(copyPath: string): string {
  return copyPath.replace(/\.json$/, '.earlier.json')
}

const Cell = v.union([v.null(), v.string(), v.number()])

const Tables = v.record(v.string(), v.object({ columns: v.array(v.string()), rows: v.array(v.array(Cell)) }))

/** Rows of `keptTables`, by table. */
export type SettingsCopy = v.InferOutput<typeof Tables>

/** What is at the place of the copy. */
export type FoundCopy =
  | { kind: 'none' }
  | { kind: 'read'; copy: SettingsCopy }
  | { kind: 'unreadable'; problem: string }

/** The first line, before the SHA-256 of the rest: a copy that was damaged itself must not be restored. */
const firstLine = 'culvert settings 1 '

/** Reads a copy. Never throws because of what is in it. */
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

/** The text of a copy: equal for equal rows. */
export function toCopyText(copy: SettingsCopy): string {
  const body = `${JSON.stringify(copy, null, 1)}\n`
  return `${firstLine}${checksum(body)}\n${body}`
}

/** True when an owner, or anybody else, has an account in a copy. */
export function hasAccounts(copy: SettingsCopy): boolean {
  return (copy['users']?.rows.length ?? 0) > 0
}

/**
 * Reads what is to be copied from a database, as of one moment. Some milliseconds for a thousand projects.
 * Throws when the database cannot be read.
 */
export function dumpSettings(databasePath: string): SettingsCopy {
  const sqlite = new DatabaseSync(databasePath, { readOnly: true, timeout: 5_000 })
  try {
    sqlite.exec('BEGIN')
    const copy: SettingsCopy = {}
    for (const { name, columns } of keptTables) {
      // A database of an earlier version lacks the later ones.
      if (listColumns(sqlite, name).length === 0) continue
      copy[name] = dumpTable(sqlite, name, columns ?? listColumns(sqlite, name))
    }
    return copy
  } finally {
    sqlite.close()
  }
}

/** The columns of a table; none where there is no such table. */
export function listColumns(sqlite: DatabaseSync, table: string): string[] {
  const rows = sqlite.prepare('SELECT name FROM pragma_table_info(?)').all(table)
  return rows.map((row) => String(row['name']))
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
 * Puts a copy in its place: the earlier one is there until the new one is on the disk. Those who can read the
 * database can read it. Rejects when it cannot be written.
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
  // Only root can give a file away; for others the mode has to do.
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
