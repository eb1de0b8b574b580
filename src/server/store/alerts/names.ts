import { sortByName } from '#server/store/name-order.ts'
import type { Db } from '#server/store/schema/database.ts'

/** The names of destinations of an organization, or of all, by id, in alphabetical order. One statement. */
export async function listDestinationNames(db: Db, organizationId?: number): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('alert_destinations')
    .select(['id', 'name'])
    .$if(organizationId !== undefined, (of) => of.where('organization_id', '=', organizationId ?? 0))
    .orderBy('id')
    .execute()
  return new Map(sortByName(rows, ({ name }) => name).map(({ id, name }) => [id, name]))
}

/** The names of the members of an organization, or of all users, by id. One statement. */
export async function listMemberNames(db: Db, organizationId?: number): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('users as u')
    .select(['u.id', 'u.name'])
    .$if(organizationId !== undefined, (of) =>
      of
        .innerJoin('memberships as m', 'm.user_id', 'u.id')
        .where('m.organization_id', '=', organizationId ?? 0),
    )
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The names of destinations and members, for descriptions of rules. Two statements. */
export async function listReceiverNames(db: Db, organizationId?: number): Promise<Map<string, string>> {
  const [destinations, members] = await Promise.all([
    listDestinationNames(db, organizationId),
    listMemberNames(db, organizationId),
  ])
  return new Map([...members, ...destinations])
}
