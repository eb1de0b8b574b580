import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Connection, SqlInput } from '#server/store/engine/connection.ts'
import type { Store } from '#server/store/store.ts'
import { listColumns, type SettingsCopy } from './settings-copy.ts'

/** Rows per table that were copied from a damaged file; tables without any are absent. */
export type Salvage = Record<string, number>

/**
 * Tables that are not copied: events and their counters are only consistent together, which requires a manual
 * repair (`sqlite3 FILE .recover`). All other tables are settings.
 */
const leftBehind = new Set([
  'alert_attempts',
  'alert_decisions',
  'alert_deliveries',
  'alert_rule_sets',
  'alert_threads',
  'alert_thresholds',
  'alert_transitions',
  'alert_troubles',
  'alert_windows',
  'attachment_totals',
  'attachments',
  'body_blocks',
  'counted_sessions',
  'counter_deltas',
  'deploys',
  'environments',
  'event_digests',
  'event_feedback',
  'events',
  'expired_digests',
  'expired_issues',
  'figure_deltas',
  'figure_names',
  'figures',
  'filter_samples',
  'import_jobs',
  'imported_issues',
  'inbox_items',
  'issue_activity',
  'issue_environments',
  'issue_hashes',
  'issue_hours',
  'issue_links',
  'issue_tags',
  'issue_texts',
  'issue_texts_config',
  'issue_texts_data',
  'issue_texts_docsize',
  'issue_texts_idx',
  'issue_traits',
  'issue_users',
  'issues',
  'leases',
  'monitor_check_ins',
  'monitor_clock',
  'monitor_counts',
  'monitor_environments',
  'monitor_gaps',
  'monitor_incidents',
  'monitor_queue',
  'monitor_signals',
  'outcome_hours',
  'processes',
  'project_bytes',
  'project_user_counts',
  'project_users',
  'release_commits',
  'release_environments',
  'releases',
  'schema_migrations',
  'session_days',
  'session_hours',
  'session_series',
  'session_users',
  'sign_in_failures',
  'trace_names',
  'trace_segments',
  'trace_totals',
])

/**
 * Copies settings into a fresh store, so that DSNs and accounts continue to work: first from the copy next to
 * the database, then what is readable in the damaged file. Does not throw on damage.
 */
export function salvage(store: Store, from: { copy?: SettingsCopy; damagedPath?: string }): Salvage {
  const { copy = {}, damagedPath } = from
  const rescued: Salvage = {}
  const note = (table: string, count: number) => {
    if (count > 0) rescued[table] = (rescued[table] ?? 0) + count
  }
  // The damaged file has more about upstreams, if it is readable: numbers and sums of the outbox.
  for (const [table, rows] of Object.entries(copy))
    if (table !== 'upstreams') note(table, restoreTable(store.connection, table, rows))
  if (damagedPath !== undefined) {
    const replaced = copy['organizations'] === undefined ? 'organizations' : undefined
    salvageFile(store, damagedPath, (damaged, table) =>
      note(table, copyTable(damaged, store.connection, { table, isReplaced: table === replaced })),
    )
  }
  const { upstreams } = copy
  if (upstreams !== undefined) note('upstreams', restoreTable(store.connection, 'upstreams', upstreams))
  return rescued
}

function restoreTable(to: Connection, table: string, { columns, rows }: SettingsCopy[string]): number {
  const known = listColumns(to, table)
  // Migrations create an organization, which the installation may have renamed.
  const isReplaced = table === 'organizations'
  let count = 0
  for (const row of rows) {
    const values = Object.fromEntries(
      columns.flatMap((column, index) => (known.includes(column) ? [[column, row[index] ?? null]] : [])),
    )
    count += insertRow(to, { table, row: values, isReplaced })
  }
  return count
}

function salvageFile(
  store: Store,
  damagedPath: string,
  salvageTable: (damaged: Connection, table: string) => void,
): void {
  try {
    mendHeader(damagedPath, store.path)
    const damaged = new DatabaseSync(damagedPath)
    try {
      for (const table of listTables(store.connection)) salvageTable(damaged, table)
      keepNumbers(damaged, store.connection)
    } finally {
      damaged.close()
    }
  } catch {
    // Nothing, or nothing further, is readable.
  }
}

/** Issue numbers must not be reused: the copy may be older than the last one assigned. */
function keepNumbers(from: Connection, to: Connection): void {
  const update = to.prepare('UPDATE projects SET last_issue_number = max(last_issue_number, ?) WHERE id = ?')
  for (const row of from.prepare('SELECT id, last_issue_number FROM projects').iterate())
    update.run(row['last_issue_number'] ?? 0, row['id'] ?? 0)
}

/** In creation order: referenced tables come before those that refer to them. */
function listTables(sqlite: Connection): string[] {
  const rows = sqlite
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all()
  return rows.map((row) => String(row['name'])).filter((name) => !leftBehind.has(name))
}

/** Copies rows up to the damage. On a conflict the existing row stays. */
function copyTable(
  from: Connection,
  to: Connection,
  { table, isReplaced }: { table: string; isReplaced: boolean },
): number {
  let count = 0
  try {
    for (const row of from.prepare(`SELECT * FROM "${table}"`).iterate())
      count += insertRow(to, { table, row, isReplaced })
  } catch {
    // The table is missing, or the rest of it is unreadable.
  }
  return count
}

interface NewRow {
  table: string
  row: Record<string, SqlInput>
  /** Replaces a row with the same key. */
  isReplaced: boolean
}

function insertRow(to: Connection, { table, row, isReplaced }: NewRow): number {
  const columns = Object.keys(row)
  const names = columns.map((name) => `"${name}"`).join(', ')
  const marks = columns.map(() => '?').join(', ')
  try {
    const statement = to.prepare(
      `INSERT OR ${isReplaced ? 'REPLACE' : 'IGNORE'} INTO "${table}" (${names}) VALUES (${marks})`,
    )
    return Number(statement.run(...Object.values(row)).changes)
  } catch {
    // The row refers to another row that was unreadable.
    return 0
  }
}

const headerBytes = 100
const magic = 'SQLite format 3\0'

/**
 * Repairs what prevents SQLite from opening the file: replaces an overwritten header with that of a database
 * with the same layout, if the next page still looks like the schema's root, and sets its size to the file's.
 * https://sqlite.org/fileformat.html#the_database_header
 */
function mendHeader(damagedPath: string, samplePath: string): void {
  const start = readStart(damagedPath)
  const hasHeader = start.toString('latin1', 0, magic.length) === magic
  const schemaPageKind = start[headerBytes]
  if (!hasHeader && schemaPageKind !== 0x0d && schemaPageKind !== 0x05) return
  const header = (hasHeader ? start : readStart(samplePath)).subarray(0, headerBytes)
  header.writeUInt32BE(Math.floor(statSync(damagedPath).size / header.readUInt16BE(16)), 28)
  // No freelist: this copy is only read.
  header.writeUInt32BE(0, 32)
  header.writeUInt32BE(0, 36)
  // SQLite uses the size only if these two agree.
  header.writeUInt32BE(header.readUInt32BE(24), 92)
  const file = openSync(damagedPath, 'r+')
  writeSync(file, header, 0, headerBytes, 0)
  closeSync(file)
}

function readStart(path: string): Buffer {
  const bytes = Buffer.alloc(headerBytes + 1)
  const file = openSync(path, 'r')
  readSync(file, bytes, 0, bytes.length, 0)
  closeSync(file)
  return bytes
}
