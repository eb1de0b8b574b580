import { limits } from '#server/limits.ts'
import type { Connection } from '#server/store/engine/connection.ts'
import { blockIdsPerMs, firstBlockIdAt } from '#server/store/events/body-block.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import type { Db } from '#server/store/schema/database.ts'

const oldestDelta = prepareQuery(
  (db, { projectIds, before }: { projectIds: readonly number[]; before: number }) => {
    const late = db
      .selectFrom('counter_deltas')
      .select('id')
      .where('project_id', 'in', projectIds)
      .where('id', '<', before)
      .orderBy('project_id')
      .orderBy('id')
      .limit(limits.lateDeltasRead)
    return db.selectFrom(late.as('late')).select((of) => of.fn.min<number | null>('id').as('id'))
  },
)

/**
 * Returns for how many milliseconds the oldest event of the projects has not been added to its issue's
 * counts; undefined up to `limits.countsLateMs`. One statement.
 *
 * It reads a bounded number of deltas: if there are more, the delay may be longer.
 */
export async function findCountsDelay(
  db: Db,
  { projectIds, now }: { projectIds: readonly number[]; now: number },
): Promise<number | undefined> {
  if (projectIds.length === 0) return undefined
  const [oldest] = await oldestDelta(db, { projectIds, before: firstBlockIdAt(now - limits.countsLateMs) })
  return toDelay(oldest?.id, now)
}

/** The delay of all projects, also below `limits.countsLateMs`; 0 when everything is counted. */
export function readCountsDelay(connection: Connection, now: number): number {
  const oldest = connection
    .prepare(
      'SELECT min(id) AS id FROM (SELECT id FROM counter_deltas ORDER BY project_id, id LIMIT ?) AS oldest',
    )
    .get(limits.lateDeltasRead)
  return toDelay(oldest?.['id'], now) ?? 0
}

/** The id of a delta begins with the time of its creation. */
function toDelay(id: unknown, now: number): number | undefined {
  if (id === null || id === undefined) return undefined
  return Math.max(0, now - Math.floor(Number(id) / blockIdsPerMs))
}
