import type { Kysely } from 'kysely'
import type { Database } from '#server/store/schema/database.ts'

/** The names of destinations of an organization, or of all, by id, in the order of names. One statement. */
export async function listDestinationNames(
  db: Kysely<Database>,
  organizationId?: number,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('alert_destinations')
    .select(['id', 'name'])
    .$if(organizationId !== undefined, (of) => of.where('organization_id', '=', organizationId ?? 0))
    .orderBy('name')
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
