import type { SqlOutput, SqlRow } from '#server/store/engine/connection.ts'
import { readPayload } from '#server/store/events/body-block.ts'
import type { Store } from '#server/store/store.ts'

/**
 * Columns whose values are random, or made from the time and then random. A number is how many characters of
 * the time they begin with; 0 is none.
 */
const randomColumns: Record<string, Record<string, number>> = {
  issue_activity: { id: 9, action_id: 9 },
  alert_transitions: { id: 9 },
  alert_rules: { id: 0, revision: 0 },
  alert_mutes: { id: 0 },
  dead_letters: { id: 0 },
  filter_samples: { id: 0 },
  project_keys: { public_key: 0 },
  trace_segments: { id: 9 },
  trace_totals: { chosen_id: 9 },
}

/**
 * Tables of one engine and of processes. Which events share a block depends on how long a step of retention
 * took: `findBrokenInvariants` checks the blocks, and here each event has its payload.
 */
const ownTables = /^(?:sqlite_|issue_texts|schema_migrations$|processes$|leases$|body_blocks$)/

const ownColumns: Record<string, readonly string[]> = {
  events: ['block_id', 'block_offset'],
  project_bytes: ['event_bytes'],
}

/** Settings whose values differ from store to store. */
const ownSettings = new Set(['secret', 'store_id', 'ended_access'])

/** The names of the tables whose rows are compared, from a store on SQLite. */
export function listTables({ connection }: Store): string[] {
  const rows = connection.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).all()
  return rows.map((row) => String(row['name'])).filter((name) => !ownTables.test(name))
}

/** The rows of tables as sorted lines, which are equal for equal contents of two stores. */
export function readTables(store: Store, names: readonly string[]): Record<string, string[]> {
  const readLines = (name: string) =>
    store.connection
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .filter((row) => !isOwnSetting(name, row))
      .flatMap((row) => (name === 'expired_digests' ? splitDigests(row) : [row]))
      .map((row) => toLine(name === 'events' ? { ...row, payload: readEvent(store, row) } : row, name))
  return Object.fromEntries(names.map((name) => [name, readLines(name).toSorted()]))
}

/** Bytes of a digest, the beginning of an event's id. */
const digestBytes = 6

/** A row for each digest: which of them share a row depends on how long a step of retention took. */
function splitDigests(row: SqlRow): SqlRow[] {
  const { project_id = null, expired_at = null, reason = null, digests } = row
  if (!(digests instanceof Uint8Array)) throw new TypeError('the digests are not bytes')
  const count = Number(row['event_count'])
  if (count * digestBytes !== digests.byteLength)
    throw new Error(`${count} digests are ${digests.byteLength} bytes`)
  return Array.from({ length: count }, (_each, index) => ({
    project_id,
    expired_at,
    reason,
    digest: digests.subarray(index * digestBytes, (index + 1) * digestBytes),
  }))
}

function isOwnSetting(table: string, row: SqlRow): boolean {
  return table === 'settings' && ownSettings.has(String(row['key']))
}

function readEvent({ connection }: Store, row: SqlRow): Uint8Array {
  const block = connection
    .prepare('SELECT data, raw_bytes FROM body_blocks WHERE project_id = ? AND id = ?')
    .get(row['project_id'] ?? null, row['block_id'] ?? null)
  const data = block?.['data']
  if (!(data instanceof Uint8Array)) throw new TypeError('the event has no block')
  const stored = { data, rawBytes: Number(block?.['raw_bytes']) }
  return readPayload(stored, Number(row['block_offset']), Number(row['block_length']))
}

function toLine(row: SqlRow, table: string): string {
  const texts = Object.entries(row)
    .filter(([column]) => ownColumns[table]?.includes(column) !== true)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([column, value]) => {
      const timeLength = randomColumns[table]?.[column]
      return `${column}=${timeLength === undefined ? toText(value) : String(value).slice(0, timeLength)}`
    })
  return texts.join(' ')
}

function toText(value: SqlOutput): string {
  if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`
  // PostgreSQL stores U+FFFD for what its texts cannot contain.
  return typeof value === 'string'
    ? JSON.stringify(value.replaceAll('\u0000', '\ufffd').toWellFormed())
    : String(value)
}
