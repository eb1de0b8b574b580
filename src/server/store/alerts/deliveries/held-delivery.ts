import { sql } from 'kysely'
import type { Db } from '#server/store/schema/database.ts'
import type { DeliveryMessage } from './message.ts'

/**
 * The id of the message with the delayed transitions: a digest's own id, or, for the summary at the beginning
 * of a storm, that of the digest queued with it. Undefined for other messages. At most one statement.
 */
export async function findHeldDelivery(
  db: Db,
  { id, kind }: { id: string; kind: DeliveryMessage['kind'] },
): Promise<string | undefined> {
  if (kind === 'digest' || kind === 'quiet') return id
  if (kind !== 'storm') return undefined
  const row = await db
    .selectFrom('alert_deliveries as summary')
    .innerJoin('alert_deliveries as digest', 'digest.created_at', 'summary.created_at')
    .select('digest.id')
    .where('summary.id', '=', id)
    .where('digest.kind', '=', 'digest')
    .where(
      sql<boolean>`coalesce(digest.destination_id, digest.user_id, digest.push_id)
        = coalesce(summary.destination_id, summary.user_id, summary.push_id)`,
    )
    .executeTakeFirst()
  return row?.id
}
