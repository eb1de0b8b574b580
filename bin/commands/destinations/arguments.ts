import { firstOrganizationId } from '#server/auth/new-accounts.ts'
import { OperatorError } from '#server/errors.ts'
import { listDestinations, type StoredDestination } from '#server/store/alerts/destinations.ts'
import type { Store } from '#server/store/store.ts'

/** Parses `DESTINATION`: an id or a name. Throws an `OperatorError` for other arguments. */
export function parseDestinationArgument(positionals: readonly string[], usage: string): string {
  const [text = '', ...more] = positionals
  if (text === '' || more.length > 0)
    throw new OperatorError(`One destination is needed, its id or its name.\nUsage: ${usage}`, 2)
  return text
}

/** The destination with this id or name. Throws an `OperatorError` if there is none, or several. */
export async function requireDestination(store: Store, text: string): Promise<StoredDestination> {
  const all = await listDestinations(store.db, firstOrganizationId)
  const named = all.filter(({ id, name }) => id === text || name === text)
  const [only, another] = named
  if (only === undefined)
    throw new OperatorError(
      `There is no destination ${JSON.stringify(text)}. "culvert destination list" shows them.`,
    )
  if (another !== undefined)
    throw new OperatorError(
      `${named.length} destinations have the name ${JSON.stringify(text)}: give the id. "culvert destination list" shows them.`,
    )
  return only
}
