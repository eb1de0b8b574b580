import { OperatorError } from '#server/errors.ts'
import { deleteSecondFactor } from '#server/store/accounts/second-factors.ts'
import { findUserByEmail } from '#server/store/accounts/users.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'

const usage = 'culvert user disable-two-factor EMAIL'

/**
 * `culvert user disable-two-factor`: turns off the second factor of a user who has lost the authenticator and
 * the recovery codes. Password and sessions are not changed.
 */
export const userDisableTwoFactor: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const [email = '', ...more] = positionals
  if (email === '' || more.length > 0)
    throw new OperatorError(`One email address is needed.\nUsage: ${usage}`, 2)
  await withProjectStore(context, async ({ store }) => {
    const user = await findUserByEmail(store.db, email.trim().toLowerCase())
    if (user === undefined) throw new OperatorError(`No account has the email address ${email}.`)
    const isDisabled = await deleteSecondFactor(store, user.id)
    context.print(
      isDisabled
        ? `The second factor of ${user.email} is off: signing in requires only the password.\n`
        : `${user.email} has no second factor.\n`,
    )
  })
}
