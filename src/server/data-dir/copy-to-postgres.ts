import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '#server/errors.ts'
import type { SqlInput } from '#server/store/engine/connection.ts'
import { SchemaMismatchError } from '#server/store/engine/migrations.ts'
import type { TableCopy } from '#server/store/engine/postgres/copy-sums.ts'
import { CopyTarget, CopyTargetError, type CopyStart } from '#server/store/engine/postgres/copy-target.ts'
import { claimDataDirAlone } from './claim.ts'
import { checkDatabase, databasePath, findMismatch, openReadOnly, ownSchemaVersion } from './database-file.ts'
import { describeDatabaseFailure } from './open-installation.ts'

export interface CopyToPostgresOptions {
  dataDir: string
  databaseUrl: string
  /** Unix milliseconds. */
  clock: () => number
  onStart?: (start: CopyStart) => void
  /** Called with the completed share, from 0 to 1. */
  onProgress?: (share: number) => void
}

/** The copied tables and rows. */
export interface CopiedInstallation {
  tableCount: number
  rowCount: number
  /** Rows that this run has copied; an earlier run copied the others. */
  newRowCount: number
}

/** Rows and bytes of a batch, whichever is reached first: they are in memory, about three times. */
const batch = { rows: 2_000, bytes: 4 * 1024 * 1024 }

/**
 * Copies the installation of a data directory into an empty PostgreSQL database, or continues an interrupted
 * copy. Compares counts and sums at the end. Does not modify the directory. Throws an `OperatorError` if the
 * directory is in use, or the database is unusable or contains other data.
 */
export async function copyToPostgres(options: CopyToPostgresOptions): Promise<CopiedInstallation> {
  const { dataDir, databaseUrl, clock } = options
  const release = claimDataDirAlone(dataDir)
  if (release === undefined) {
    throw new OperatorError(
      `A server or a command of Culvert has ${JSON.stringify(dataDir)} open. Stop it first, then copy.`,
    )
  }
  let source: DatabaseSync | undefined
  let target: CopyTarget | undefined
  try {
    source = openReadOnly(databasePath(dataDir))
    await requireSound(source, dataDir)
    target = await CopyTarget.open(databaseUrl, clock)
    return await copyTables(source, target, options)
  } catch (error) {
    throw toCopyError(error, databaseUrl)
  } finally {
    source?.close()
    await target?.close()
    release()
  }
}

async function requireSound(source: DatabaseSync, dataDir: string): Promise<void> {
  const { problems, schemaVersion } = checkDatabase(source)
  const subject = `The database in ${JSON.stringify(dataDir)}`
  if (problems.length > 0)
    throw new OperatorError(`${subject} is damaged: ${problems.join('; ')}. Restore a backup, then copy.`)
  const mismatch = await findMismatch(source)
  if (mismatch !== undefined) throw new OperatorError(`${subject} ${mismatch}.`)
  const own = await ownSchemaVersion()
  if (schemaVersion === own) return
  throw new OperatorError(
    `${subject} has schema version ${schemaVersion}, this Culvert needs ${own}. ` +
      'Run "culvert migrate" without DATABASE_URL, then copy.',
  )
}

async function copyTables(
  source: DatabaseSync,
  target: CopyTarget,
  { dataDir, onStart, onProgress }: CopyToPostgresOptions,
): Promise<CopiedInstallation> {
  onStart?.(await target.begin({ place: resolve(dataDir), state: stateOf(dataDir) }))
  const count = (table: string) => Number(source.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
  const rowCounts = new Map(target.tables.map(({ name }) => [name, count(name)]))
  const total = [...rowCounts.values()].reduce((sum, n) => sum + n, 0)
  const countCopied = () => target.tables.reduce((sum, table) => sum + table.rowCount, 0)
  const copiedBefore = countCopied()
  for (const table of target.tables) {
    for (const rows of readBatches(source, table)) {
      await target.insert(table, rows)
      onProgress?.(countCopied() / total)
    }
  }
  const short = target.tables
    .filter(({ name, rowCount }) => rowCount !== rowCounts.get(name))
    .map(({ name, rowCount }) => `${name}: ${rowCount} of ${rowCounts.get(name)} rows were read`)
  const differences = [...short, ...(await target.findDifferences())]
  if (differences.length > 0) {
    throw new OperatorError(
      `The copy differs from the data directory: ${differences.slice(0, 5).join('; ')}. ` +
        'Drop the database, create it again and repeat the copy.',
    )
  }
  await target.finish()
  return { tableCount: target.tables.length, rowCount: total, newRowCount: total - copiedBefore }
}

/** Changes with each write to the database; there are none while it is claimed. */
function stateOf(dataDir: string): string {
  const path = databasePath(dataDir)
  const states = [path, `${path}-wal`].map((file) => {
    const stats = statSync(file, { throwIfNoEntry: false })
    return stats === undefined || stats.size === 0 ? 'empty' : `${stats.size} bytes of ${stats.mtimeMs}`
  })
  return states.join(', ')
}

/** The rows that are not in the target yet, in an order that only a write changes. */
function* readBatches(
  source: DatabaseSync,
  { name, columns, rowCount }: TableCopy,
): Generator<SqlInput[][], void> {
  const names = columns.map((column) => column.name)
  const statement = source.prepare(
    `SELECT ${names.join(', ')} FROM ${name} ORDER BY ${orderOf(source, name)} LIMIT -1 OFFSET ?`,
  )
  let rows: SqlInput[][] = []
  let bytes = 0
  for (const row of statement.iterate(rowCount)) {
    const values = names.map((column) => row[column] ?? null)
    for (const value of values)
      bytes += typeof value === 'string' ? value.length : ArrayBuffer.isView(value) ? value.byteLength : 8
    rows.push(values)
    if (rows.length < batch.rows && bytes < batch.bytes) continue
    yield rows
    rows = []
    bytes = 0
  }
  if (rows.length > 0) yield rows
}

/** The order in which a table is stored. */
function orderOf(source: DatabaseSync, table: string): string {
  const found = source.prepare('SELECT wr FROM pragma_table_list(?)').get(table)
  if (found?.['wr'] !== 1) return 'rowid'
  const key = source.prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk').all(table)
  return key.map((column) => String(column['name'])).join(', ')
}

function toCopyError(error: unknown, databaseUrl: string): Error {
  if (error instanceof OperatorError) return error
  if (error instanceof CopyTargetError || error instanceof SchemaMismatchError)
    return new OperatorError(`The data directory cannot be copied: ${error.message}.`)
  const failure = describeDatabaseFailure(error, databaseUrl)
  return new OperatorError(`${failure} Repeat the command: it continues where this one ended.`)
}
