import { limits } from '#server/limits.ts'
import { toStoreBounds, type StoreBounds } from './bounds.ts'
import { openPostgresStore } from './engine/postgres/open.ts'
import { isPostgresUrl } from './engine/postgres/url.ts'
import { createLock, type Lock } from './engine/sqlite/lock.ts'
import { openSqliteStore } from './engine/sqlite/open.ts'
import type { OpenStoreOptions, StoreParts } from './engine/store-parts.ts'

/** An open database: a connection that writes, and others that only read. */
export interface Store extends StoreParts {
  /** The path of the file, or the URL of the PostgreSQL database. The URL contains a password. */
  readonly path: string
  /** Limits of a project for data that any client with a DSN can send. */
  readonly bounds: StoreBounds
  /** Merges, unmerges and deletions of this process run one at a time: `events/moves.ts`. */
  readonly mergeLock: Lock
}

/**
 * Opens the database, which is created if it is missing, and migrates its schema. `path` selects the engine.
 * Several processes may open the same database. Throws if it cannot be opened or is newer than this version.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { path, bounds = toStoreBounds(limits.retentionBytes) } = options
  const parts = await (isPostgresUrl(path) ? openPostgresStore(options) : openSqliteStore(options))
  return { path, bounds, mergeLock: createLock(), ...parts }
}
