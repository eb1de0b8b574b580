import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import { bytesOffset } from '#server/store/engine/per-engine.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { EventQuery } from './events.ts'
import { expiryReasons, type ExpiredEvent } from './records.ts'

/**
 * Finds a deleted event of the projects whose id began with these lower-case hex digits, at least twelve: the
 * last deleted one. One statement, which reads the digests of deleted events: 6 MB for a million events.
 */
export async function findExpiredEvent(
  db: Db,
  { id, projectIds }: EventQuery,
): Promise<ExpiredEvent | undefined> {
  const digest = Buffer.from(id.slice(0, 2 * limits.expiredDigestBytes), 'hex')
  const offset = bytesOffset(sql.ref('x.digests'), digest)
  const row = await db
    .selectFrom('expired_digests as x')
    .innerJoin('projects as p', 'p.id', 'x.project_id')
    .select(['x.expired_at', 'x.reason', 'p.name'])
    .where('x.project_id', 'in', projectIds)
    .where(offset, '>', 0)
    // Skips matches that cross the boundary between two digests.
    .where(sql<boolean>`(${offset} - 1) % ${sql.lit(limits.expiredDigestBytes)} = 0`)
    .orderBy('x.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (
    row && {
      projectName: row.name,
      expiredAt: row.expired_at,
      reason: expiryReasons.find((reason) => reason === row.reason) ?? 'age',
    }
  )
}
