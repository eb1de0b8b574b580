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
