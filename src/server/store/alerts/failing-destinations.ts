import type { Db } from '#server/store/schema/database.ts'

/**
 * The names of failing destinations: their last attempt failed, or their receiver ended the subscription.
 * Without those that an admin disabled. One statement; none without an organization.
 */
export async function listFailingDestinations(db: Db, organizationIds: readonly number[]): Promise<string[]> {
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
