import type { Log } from '#server/log.ts'
import type { Committer } from '#server/store/ingest/committer.ts'
import type { Store } from '#server/store/store.ts'
import type { UpstreamConnections } from './connection.ts'
import type { DeliveryBounds } from './delivery.ts'
import type { Moment } from './pace.ts'

/** The dependencies that all senders of a process share. */
export interface SenderContext {
  store: Store
  committer: Committer
  log: Log
  connections: UpstreamConnections
  /** The holder name of this process in leases. */
  holder: string
  now: () => Moment
  /** How many milliseconds of `now` pass per real millisecond: 1, except in tests of long delays. */
  speed: number
  /** From 0 to below 1. */
  random: () => number
  bounds?: DeliveryBounds
}
