import { Client } from 'pg'
import { limits } from '#server/limits.ts'
import type { TableBytes } from '#server/store/engine/table-bytes.ts'
import { clientConfig } from './pool.ts'

/** With indexes and TOAST tables. */
const tables = `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`

/** Queries the server on a separate connection. Undefined if it does not answer in time. */
export async function measurePostgresTables(url: string): Promise<TableBytes[] | undefined> {
  const client = new Client({ ...clientConfig(url), query_timeout: limits.tableSizesMs })
  // A lost connection also rejects the query.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<TableBytes>(tables)).rows
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => undefined)
  }
}
