import type { Kysely } from 'kysely'
import type { Database } from '#server/store/schema/database.ts'

/**
 * The names of destinations that do not work: their last attempt failed, or their receiver ended them. Those
 * that an admin disabled are left out. One statement; none without an organization.
 */
export async function listFailingDestinations(
  db: Kysely<Database>,
  organizationIds: readonly number[],
): Promise<string[]> {
  if (organizationIds.length === 0) return []
  const rows = await db
    .selectFrom('alert_destinations')
    .select('name')
    .where('organization_id', 'in', organizationIds)
    .where('failing_since', 'is not', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}
