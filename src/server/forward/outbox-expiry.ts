import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { readClockState } from '#server/retention/clock-state.ts'
import { readRetentionClock, type ClockReading } from '#server/retention/clock.ts'
import type { Store } from '#server/store/store.ts'
import { dropOutboxHead } from '#server/store/upstreams/outbox.ts'
import type { Upstream } from '#server/store/upstreams/upstreams.ts'
import { dayMs } from '#time/time-steps.ts'
import type { Moment } from './pace.ts'

/** Drops envelopes that have been queued for too long. */
export interface OutboxExpiry {
  /**
   * Checks the queues of the given upstreams, at most every `limits.forwardExpiryMs`. Call it even if there
   * are none.
   */
  check(upstreams: readonly Upstream[]): Promise<void>
}

/**
 * Creates an expiry that only deletes while the clock is plausible: a clock that is wrong for an hour must
 * not delete anything, and after a long downtime there is a day to deliver what has expired meanwhile. `now`:
 * both clocks.
 */
export function createOutboxExpiry(store: Store, log: Log, now: () => Moment): OutboxExpiry {
  let reading: ClockReading | undefined
  let checkedAtMs = Number.NEGATIVE_INFINITY
  return {
    async check(upstreams) {
      const { wallMs, monotonicMs } = now()
      if (monotonicMs - checkedAtMs < limits.forwardExpiryMs) return
      const state = reading ?? (await readClockState(store))
      const elapsedMs = reading === undefined ? 0 : monotonicMs - checkedAtMs
      reading = readRetentionClock(state, { now: wallMs, elapsedMs }, limits.forwardClockJumpMs)
      checkedAtMs = monotonicMs
      if (!reading.isTrusted) return
      for (const upstream of upstreams) {
        const before = wallMs - limits.outboxDays * dayMs
        const droppedCount = await dropOutboxHead(store, upstream, { before, reason: 'upstream_expired' })
        if (droppedCount > 0) {
          const { host, projectId } = upstream.dsn
          log.warn(
            { upstream: `${host}/${projectId}`, droppedCount },
            'envelopes expired before they could be forwarded',
          )
        }
      }
    },
  }
}
