import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import type { Store } from '#server/store/store.ts'

/**
 * Corrects the times of waiting messages after the clock was set back: they were written with a clock that
 * was ahead, so the messages, and others to the same receiver, would wait until it has caught up. What a
 * message still had to wait is kept; retries are due now. One transaction.
 */
export function correctDeliveryTimes(store: Store, now: number): Promise<void> {
  const future = now + limits.alertClockSkewMs
  return store.writer.transaction().execute(async (tx) => {
    const waiting = () => tx.updateTable('alert_deliveries').where('status', '=', 'waiting')
    await waiting()
      .set({ leased_until: null })
      .where('leased_until', '>', future + limits.alertLeaseMs)
      .execute()
    await waiting()
      .set({ due_at: now })
      .where('attempt_count', '>', 0)
      .where('due_at', '>', future + limits.channelRetryAfterMaxMs)
      .execute()
    await waiting()
      .set({
        created_at: now,
        due_at: sql<number>`due_at - created_at + ${now}`,
        expires_at: sql<number>`expires_at - created_at + ${now}`,
      })
      .where('created_at', '>', future)
      .execute()
  })
}
