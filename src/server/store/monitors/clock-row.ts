import type { ClockGap } from '#monitors/verdicts.ts'
import { limits } from '#server/limits.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

const clockId = 1

/** True if the clock was set back so far that it must have been wrong at the last tick: the slots restart. */
export async function isClockSetBack(db: Db, now: number): Promise<boolean> {
  const seen = await findTick(db)
  return seen !== undefined && isSetBackFrom(seen, now)
}

function isSetBackFrom(tickedAt: number, now: number): boolean {
  return now - tickedAt < -limits.monitorSetBackMs
}

/**
 * Records that a process runs the clock. A time without a tick is a gap: the server was down, or the clock
 * jumped. Written every `limits.monitorHeartbeatMs`. `gapMs` is the shortest gap.
 */
export async function recordTick(
  store: Store,
  { now, gapMs }: { now: number; gapMs: number },
): Promise<void> {
  const seen = await findTick(store.db)
  if (seen !== undefined && Math.abs(now - seen) < limits.monitorHeartbeatMs) return
  await store.writer.transaction().execute(async (tx) => {
    const tickedAt = await lockClock(tx, now)
    if (tickedAt === undefined) return
    const passedMs = now - tickedAt
    const isSetBack = isSetBackFrom(tickedAt, now)
    // After the clock was set back a little, the slots until then have already ended.
    if (passedMs > 0 || isSetBack)
      await tx.updateTable('monitor_clock').set({ ticked_at: now }).where('id', '=', clockId).execute()
    if (isSetBack) {
      await tx.deleteFrom('monitor_gaps').where('from_at', '>', now).execute()
      await tx.updateTable('monitor_gaps').set({ to_at: now }).where('to_at', '>', now).execute()
    }
    if (passedMs > gapMs) {
      await tx
        .insertInto('monitor_gaps')
        .values({ from_at: tickedAt, to_at: now })
        .onConflict((on) => on.column('from_at').doUpdateSet({ to_at: now }))
        .execute()
      await tx
        .deleteFrom('monitor_gaps')
        .where('to_at', '<', now - limits.checkInAgeMs)
        .execute()
    }
  })
}

async function findTick(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('monitor_clock')
    .select('ticked_at')
    .where('id', '=', clockId)
    .executeTakeFirst()
  return row?.ticked_at
}

/**
 * Locks the clock until the end of the transaction, so that each change of monitors sees the previous one: on
 * PostgreSQL two processes may briefly hold the lease at the same time. Returns the last tick; undefined
 * before the first.
 */
export async function lockClock(tx: Tx, now: number): Promise<number | undefined> {
  const inserted = await tx
    .insertInto('monitor_clock')
    .values({ id: clockId, ticked_at: now })
    .onConflict((on) => on.column('id').doNothing())
    .executeTakeFirst()
  if (Number(inserted.numInsertedOrUpdatedRows ?? 0) > 0) return undefined
  const row = await tx
    .updateTable('monitor_clock')
    .set((is) => ({ ticked_at: is.ref('ticked_at') }))
    .where('id', '=', clockId)
    .returning('ticked_at')
    .executeTakeFirstOrThrow()
  return row.ticked_at
}

/** The gaps since an instant, oldest first. */
export async function listClockGaps(db: Db, since: number): Promise<ClockGap[]> {
  const rows = await db
    .selectFrom('monitor_gaps')
    .select(['from_at', 'to_at'])
    .where('to_at', '>=', since)
    .orderBy('from_at')
    .execute()
  return rows.map(({ from_at, to_at }) => ({ from: from_at, to: to_at }))
}
