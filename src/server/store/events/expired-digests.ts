import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { limits } from '#server/limits.ts'
import { bytesOffset } from '#server/store/engine/per-engine.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { EventQuery } from './events.ts'
import { expiryReasons } from './records.ts'
import type { ExpiredEvent } from './records.ts'

/**
 * True if retention deleted an event of the projects whose id began with these lower-case hex digits, twelve
 * or more of them: the last one it did. One statement; reads what is remembered of the projects, 6 MB for a
 * million deleted events.
 */
export async function findExpiredEvent(
  db: Kysely<Database>,
  { id, projectIds }: EventQuery,
): Promise<ExpiredEvent | undefined> {
  const digest = Buffer.from(id.slice(0, 2 * limits.expiredDigestBytes), 'hex')
  const place = bytesOffset(sql.ref('x.digests'), digest)
  const row = await db
    .selectFrom('expired_digests as x')
    .innerJoin('projects as p', 'p.id', 'x.project_id')
    .select(['x.expired_at', 'x.reason', 'p.name'])
    .where('x.project_id', 'in', projectIds)
    .where(place, '>', 0)
    // Otherwise it crosses a boundary between two of them.
    .where(sql<boolean>`(${place} - 1) % ${sql.lit(limits.expiredDigestBytes)} = 0`)
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
