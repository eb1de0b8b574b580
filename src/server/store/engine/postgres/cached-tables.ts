import type { StatementShape } from './statements/shape.ts'

/**
 * Tables that ingest neither reads nor caches, and that running processes write all the time. No table refers
 * to them.
 */
export const uncachedTables = new Set(['processes', 'leases', 'settings', 'monitor_clock', 'monitor_gaps'])

/** True for a statement that may change rows that transactions of ingest cache. */
export function canChangeCachedRows(sql: string): boolean {
  if (/^\s*(?:SELECT|SET|SAVEPOINT|RELEASE|COMMIT|ROLLBACK)\b/i.test(sql)) return false
  const table = /^\s*(?:INSERT INTO|UPDATE|DELETE FROM) "?(\w+)"?/i.exec(sql)?.[1]
  return table === undefined || !uncachedTables.has(table)
}

/** Tables whose rows many transactions of a project add to, as counts of the project. */
const countTables = new Set(['environments', 'outcome_hours', 'releases', 'trace_totals'])

/**
 * Tables to which transactions that share a project may add rows, or add to the counts of a row: events with
 * their payloads, segments of traces, deltas of counters and figures, and the counts of the project. What
 * such a transaction decides depends on none of them, except whether an event exists, which its primary key
 * guarantees.
 */
const appendedTables = countTables.union(
  new Set(['body_blocks', 'counter_deltas', 'event_digests', 'events', 'figure_deltas', 'trace_segments']),
)

/**
 * True for a write that several transactions of one project may do at the same time. A new environment is
 * none: the number of a project's environments is limited.
 */
export function isAppend({ kind, tables: [table = ''] }: StatementShape): boolean {
  if (table === 'environments') return kind === 'update'
  return kind === 'insert' && appendedTables.has(table)
}

/** True for a write to a row that other transactions of the project add to. */
export function isCount({ tables: [table = ''] }: StatementShape): boolean {
  return countTables.has(table)
}
