import type { Connection } from './connection.ts'
import { SyncConnection } from './postgres/sync-connection.ts'
import { isPostgresUrl } from './postgres/url.ts'
import { openReader } from './sqlite/connection.ts'

/** Milliseconds to wait for writers: a reader begins no transaction that writes. */
const lockWaitMs = 0

/**
 * Opens a read-only connection for another thread. `path` is the store's: a file, or the URL of a PostgreSQL
 * database, to which the first statement connects. Throws if there is no such file.
 */
export function openReaderConnection(path: string): Connection {
  return isPostgresUrl(path) ? new SyncConnection(path, { lockWaitMs }) : openReader(path)
}
