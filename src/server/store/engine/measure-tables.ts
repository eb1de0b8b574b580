import { measurePostgresTables } from './postgres/measure-tables.ts'
import { isPostgresUrl } from './postgres/url.ts'
import { measureSqliteTables } from './sqlite/measure-tables.ts'
import type { TableBytes } from './table-bytes.ts'

/**
 * Measures every table of a database: `path` is the store's. Undefined when it cannot be measured within
 * `limits.tableSizesMs`.
 */
export function measureTables(path: string): Promise<TableBytes[] | undefined> {
  return isPostgresUrl(path) ? measurePostgresTables(path) : measureSqliteTables(path)
}
