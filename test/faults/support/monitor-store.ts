import type { Store } from '#server/store/store.ts'
import { dayMs } from '#time/time-steps.ts'

/** Deletes the lease of a killed process, so that a test does not wait for its end. */
export async function endMonitorLease(store: Store): Promise<void> {
  await store.writer.deleteFrom('leases').where('name', '=', 'monitors').execute()
}

/** The number of rows of a table. */
export async function countRows(
  store: Store,
  table: 'monitor_signals' | 'monitor_queue' | 'events',
): Promise<number> {
  const { count } = await store.db
    .selectFrom(table)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The ends of runs and checks, and the rows derived from them. */
export interface MonitorEnds {
  ends: { monitor_id: string; slot_at: number | null; status: string }[]
  /** By monitor: the times of the slots, in their order. */
  slots: Map<string, number[]>
  failureCount: number
  eventCount: number
  /** In the counts of days. */
  countedEnds: number
}

/** Reads them from a store that no process uses. */
export async function readMonitorEnds(store: Store): Promise<MonitorEnds> {
  const ends = await store.db
    .selectFrom('monitor_check_ins')
    .select(['monitor_id', 'slot_at', 'status'])
    .execute()
  const { quantity } = await store.db
    .selectFrom('monitor_counts')
    .select((of) => of.fn.sum<number>('quantity').as('quantity'))
    .where('step_ms', '=', dayMs)
    .executeTakeFirstOrThrow()
  const slots = new Map(
    [...Map.groupBy(ends, ({ monitor_id }) => monitor_id)].map(([id, rows]) => [
      id,
      rows.flatMap(({ slot_at }) => slot_at ?? []).toSorted((one, other) => one - other),
    ]),
  )
  return {
    ends,
    slots,
    failureCount: ends.filter(({ status }) => ['error', 'missed', 'timeout'].includes(status)).length,
    eventCount: await countRows(store, 'events'),
    countedEnds: quantity,
  }
}
