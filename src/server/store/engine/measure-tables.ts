import { measurePostgresTables } from './postgres/measure-tables.ts'
import { isPostgresUrl } from './postgres/url.ts'
import { measureSqliteTables } from './sqlite/measure-tables.ts'
import type { TableBytes } from './table-bytes.ts'

/**
 * Measures every table of a database at the store's `path`. Undefined if that takes longer than
 * `limits.tableSizesMs`.
 */
export function measureTables(path: string): Promise<TableBytes[] | undefined> {
  return isPostgresUrl(path) ? measurePostgresTables(path) : measureSqliteTables(path)
}
