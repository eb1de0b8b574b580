import type { AlertRule } from '#alerts/rule.ts'
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

/** An id in a rule that the organization does not have. */
export interface UnknownReference {
  /** The field of the rule. */
  field: 'actions' | 'filters'
  problem: string
}

/**
 * The first destination or member that a rule names and the organization does not have: such a rule would
 * never notify anyone, or never match. Two statements, or none.
 */
export async function findUnknownReference(
  db: Db,
  organizationId: number,
  { actions, filters }: Pick<AlertRule, 'actions' | 'filters'>,
): Promise<UnknownReference | undefined> {
  const references = [
    ...actions.map((action) => ({ field: 'actions' as const, part: action })),
    ...filters.map((filter) => ({ field: 'filters' as const, part: filter })),
  ].flatMap(({ field, part }) => ('id' in part ? [{ field, kind: part.kind, id: part.id }] : []))
  if (references.length === 0) return undefined
  const [destinations, members] = await Promise.all([
    listDestinationNames(db, organizationId),
    listMemberNames(db, organizationId),
  ])
  const unknown = references.find(
    ({ kind, id }) => !(kind === 'destination' ? destinations : members).has(id),
  )
  if (unknown === undefined) return undefined
  const { field, kind, id } = unknown
  const start = kind === 'destination' ? 'No destination' : 'No member'
  return { field, problem: `${start} of the organization has the id ${JSON.stringify(id)}.` }
}
