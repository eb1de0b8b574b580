import type { FilterPerson } from '#alerts/filter-text.ts'
import { listMembers } from '#server/store/accounts/members.ts'
import { listDestinationNames } from '#server/store/alerts/names.ts'
import type { Db } from '#server/store/schema/database.ts'

/** The members and destinations of an organization, which a rule can name. */
export interface Receivers {
  people: readonly FilterPerson[]
  /** Names by id. */
  destinations: ReadonlyMap<string, string>
}

/** Reads the receivers of an organization. */
export async function readReceivers(db: Db, organizationId: number): Promise<Receivers> {
  const members = await listMembers(db, organizationId)
  return {
    people: members.map(({ userId, email }) => ({ userId, email: email.toLowerCase() })),
    destinations: await listDestinationNames(db, organizationId),
  }
}

/** The id of a receiver, or the reason why the text names none: such a rule would never notify anyone. */
export type FoundReceiver = { id: string } | { problem: string }

/** Finds a member by email address, or a destination by name; both also by id. */
export function findReceiver(
  { people, destinations }: Receivers,
  kind: 'person' | 'destination',
  text: string,
): FoundReceiver {
  const ids =
    kind === 'person'
      ? people.filter(({ userId, email }) => userId === text || email === text.toLowerCase()).map(toUserId)
      : [...destinations].filter((names) => names.includes(text)).map(([id]) => id)
  const [id, ...more] = ids
  if (id !== undefined && more.length === 0) return { id }
  return {
    problem:
      kind === 'person'
        ? `no member of the organization has the email address or the id ${JSON.stringify(text)}.`
        : `${ids.length} destinations have the name or the id ${JSON.stringify(text)}. "culvert destination list" shows them.`,
  }
}

function toUserId({ userId }: FilterPerson): string {
  return userId
}
