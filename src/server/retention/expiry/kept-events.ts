import { setImmediate as nextTick } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '#server/store/store.ts'

/** The number of a project's stored events, and where the newest ones begin. */
export interface KeptEvents {
  eventCount: number
  /** The id of a block: this block and all later ones contain the reserve, or everything if there is less. */
  reserveFrom: number
}

/** Blocks to read before other work. For many more, PostgreSQL would read the table and sort it. */
const blocksPerTick = 200

/**
 * Counts a project's events, newest first, and finds the blocks with the newest `reserve` of them. Reads only
 * an index.
 */
export async function countKeptEvents(
  { db }: Store,
  projectId: number,
  reserve: number,
): Promise<KeptEvents> {
  let eventCount = 0
  let reserveFrom = Number.MAX_SAFE_INTEGER
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const rows = await db
      .selectFrom('events')
      .select(['block_id', sql<number>`count(*)`.as('event_count')])
      .where('project_id', '=', projectId)
      .where('block_id', '<', before)
      .groupBy('block_id')
      .orderBy('block_id', 'desc')
      .limit(blocksPerTick)
      .execute()
    for (const row of rows) {
      if (eventCount < reserve) reserveFrom = row.block_id
      eventCount += row.event_count
      before = row.block_id
    }
    if (rows.length < blocksPerTick) return { eventCount, reserveFrom }
    await nextTick()
  }
}
