import type { Kysely } from 'kysely'
import type { Database } from '#server/store/schema/database.ts'

/** The names of an organization's destinations by id, in the order of their names. One statement. */
export async function listDestinationNames(
  db: Kysely<Database>,
  organizationId: number,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('alert_destinations')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
