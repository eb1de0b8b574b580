import type { AlertDecider } from '#server/alerts/decider.ts'
import type { Forwarder } from '#server/forward/forwarder.ts'
import type { Log } from '#server/log.ts'
import type { MonitorClock } from '#server/monitors/monitor-clock.ts'
import type { RateLimiter } from '#server/rate-limit/rate-limiter.ts'
import type { SourceMaps } from '#server/source-maps/source-maps.ts'
import type { Lock } from '#server/store/engine/sqlite/lock.ts'
import type { Committer } from '#server/store/ingest/committer.ts'
import type { Store } from '#server/store/store.ts'
import type { Admission } from './admission/admission.ts'
import type { ProjectKeys } from './project-keys.ts'
import type { IngestState } from './project-rules.ts'
import type { RejectedCounts } from './rejected-counts.ts'
import type { SliceQueue } from './slice-queue.ts'
import type { TickQueue } from './tick-queue.ts'

/** The services that ingest uses. */
export interface IngestServices {
  readonly admission: Admission
  readonly alertDecider: Pick<AlertDecider, 'wake'>
  /** Unix milliseconds. */
  readonly clock: () => number
  /** Held while a large OTLP request is processed. */
  readonly largeExports: Lock
  readonly log: Log
  readonly committer: Committer
  readonly forwarder: Pick<Forwarder, 'listRateLimits' | 'wake'>
  readonly ingestState: IngestState
  readonly monitorClock: Pick<MonitorClock, 'wake'>
  readonly projectKeys: ProjectKeys
  /** Scheme, host and port in DSNs: `CULVERT_ORIGIN`, otherwise the listening address. */
  readonly publicOrigin: string
  readonly rateLimiter: RateLimiter
  readonly rejectedCounts: RejectedCounts
  readonly sliceQueue: SliceQueue
  /** Maps locations of events to their source. */
  readonly sourceMaps: SourceMaps
  readonly store: Pick<Store, 'db'>
  readonly tickQueue: TickQueue
}
