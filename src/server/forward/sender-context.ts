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
  /** Names this process in the leases. */
  holder: string
  now: () => Moment
  /** How many milliseconds of `now` pass in one on the wall: 1, except in tests of long delays. */
  speed: number
  /** 0 to below 1. */
  random: () => number
  bounds?: DeliveryBounds
}
