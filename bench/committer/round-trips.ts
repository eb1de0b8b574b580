import { SyncConnection } from '#server/store/engine/postgres/sync-connection.ts'
import type { Store } from '#server/store/store.ts'

/** Round trips of the connection that writes; 0 on SQLite, which has none. */
export function countRoundTrips({ connection }: Store): number {
  return connection instanceof SyncConnection ? connection.roundTripCount : 0
}
