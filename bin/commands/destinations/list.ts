import { firstOrganizationId } from '#server/auth/new-accounts.ts'
import { listDestinations, type StoredDestination } from '#server/store/alerts/destinations.ts'
import { readOptions, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'

const usage = 'culvert destination list [--json]'

/** `culvert destination list`: the destinations of alerts, without their secrets. */
export const destinationList: Command = async (args, context) => {
  const { values } = readOptions(usage, args, { json: { type: 'boolean' } })
  const destinations = await withProjectStore(context, ({ store }) =>
    listDestinations(store.db, firstOrganizationId),
  )
  const listed = destinations.map(({ sealedSecret, ...each }) => ({
    ...each,
    hasSecret: sealedSecret !== undefined,
  }))
  context.print(
    values.json === true ? `${JSON.stringify(listed, null, 2)}\n` : destinations.map(toLine).join(''),
  )
}

function toLine({ id, channel, name, ...state }: StoredDestination): string {
  return `${id}  ${channel.padEnd(15)}  ${toState(state).padEnd(8)}  ${name}\n`
}

function toState({
  disabledAt,
  failingSince,
}: Pick<StoredDestination, 'disabledAt' | 'failingSince'>): string {
  if (disabledAt !== undefined) return 'disabled'
  return failingSince === undefined ? 'active' : 'failing'
}
