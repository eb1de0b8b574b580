import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { readClockState } from '#server/retention/clock-state.ts'
import { readRetentionClock, type ClockReading } from '#server/retention/retention-clock.ts'
import type { Store } from '#server/store/database.ts'
import { expireOutbox } from '#server/store/outbox.ts'
import type { Upstream } from '#server/store/upstreams.ts'

/** Drops what has waited for too long. */
export interface OutboxExpiry {
  /** Looks through the queues of some upstreams, every `limits.forwardExpiryMs` at most. */
  look(upstreams: readonly Upstream[]): Promise<void>
}

/** An expiry that deletes only while the clock can be believed: one that is wrong for an hour must cost nothing. */
export function createOutboxExpiry(store: Store, log: Log): OutboxExpiry {
  let reading: ClockReading | undefined
  let lookedAtMs = Number.NEGATIVE_INFINITY
  return {
    async look(upstreams) {
      const nowMs = performance.now()
      if (nowMs - lookedAtMs < limits.forwardExpiryMs) return
      const state = reading ?? (await readClockState(store))
      const elapsedMs = reading === undefined ? 0 : nowMs - lookedAtMs
      reading = readRetentionClock(state, { now: store.clock(), elapsedMs })
      lookedAtMs = nowMs
      if (!reading.isTrusted) return
      const before = store.clock() - limits.outboxDays * 86_400_000
      for (const upstream of upstreams) {
        const droppedCount = await expireOutbox(store, upstream, before)
        if (droppedCount > 0) {
          const { host, projectId } = upstream.dsn
          log.warn(
            { upstream: `${host}/${projectId}`, droppedCount },
            'envelopes became too old to be sent on',
          )
        }
      }
    },
  }
}
