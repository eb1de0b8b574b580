import { deleteProviderIdentity } from '#server/store/accounts/provider-identities.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { readEmail, requireAccount } from './account.ts'

const usage = 'culvert user disconnect-provider EMAIL'

/**
 * `culvert user disconnect-provider`: unlinks an account from its identity at the identity provider. The next
 * identity with a verified address can be linked. Password and sessions are not changed.
 */
export const userDisconnectProvider: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const email = readEmail(usage, positionals)
  await withProjectStore(context, async ({ store }) => {
    const user = await requireAccount(store, email)
    const isDisconnected = await deleteProviderIdentity(store, user.id)
    context.print(
      isDisconnected
        ? `${user.email} is disconnected. The next sign-in at the provider with this address connects it again.\n`
        : `${user.email} is connected to no identity.\n`,
    )
  })
}
