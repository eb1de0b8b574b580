import { deleteSecondFactor } from '#server/store/accounts/second-factors.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { readEmail, requireAccount } from './account.ts'

const usage = 'culvert user disable-two-factor EMAIL'

/**
 * `culvert user disable-two-factor`: turns off the second factor of a user who has lost the authenticator and
 * the recovery codes. Password and sessions are not changed.
 */
export const userDisableTwoFactor: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const email = readEmail(usage, positionals)
  await withProjectStore(context, async ({ store }) => {
    const user = await requireAccount(store, email)
    const isDisabled = await deleteSecondFactor(store, user.id)
    context.print(
      isDisabled
        ? `The second factor of ${user.email} is off: signing in requires only the password.\n`
        : `${user.email} has no second factor.\n`,
    )
  })
}
