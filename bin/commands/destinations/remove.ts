import { firstOrganizationId } from '#server/auth/new-accounts.ts'
import { deleteDestination } from '#server/store/alerts/destinations.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { parseDestinationArgument, requireDestination } from './arguments.ts'

const usage = 'culvert destination remove DESTINATION'

/** `culvert destination remove`: deletes a destination with its pending messages. */
export const destinationRemove: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const text = parseDestinationArgument(positionals, usage)
  await withProjectStore(context, async ({ store }) => {
    const { id, name } = await requireDestination(store, text)
    await deleteDestination(store, { organizationId: firstOrganizationId, destinationId: id })
    context.print(`${name} is deleted.\n`)
  })
}
