import { parsePassword } from '#server/auth/new-accounts.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import { OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { createAccountLink } from '#server/store/accounts/links.ts'
import { replacePassword } from '#server/store/accounts/users.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { readEmail, requireAccount } from './account.ts'
import { readPassword } from './add.ts'

const usage = 'culvert user reset-password EMAIL [--password-stdin]'

/**
 * `culvert user reset-password`: prints a link to set a new password. With `--password-stdin` sets the
 * password from standard input, ends all sessions and revokes all API tokens.
 */
export const userResetPassword: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, args, { 'password-stdin': { type: 'boolean' } })
  const email = readEmail(usage, positionals)
  const password = values['password-stdin'] === true ? await readPassword() : undefined
  await withProjectStore(context, async ({ store, origin }) => {
    const user = await requireAccount(store, email)
    if (password === undefined) {
      const token = await createAccountLink(store, {
        purpose: { kind: 'password', userId: user.id },
        lifetimeMs: limits.passwordLinkMs,
      })
      context.print(`Choose a new password within a day:  ${origin}/password/${token}\n`)
      return
    }
    const parsed = await parsePassword(password, [user.name, user.email])
    if (!parsed.ok) throw new OperatorError(parsed.problem, 2)
    const passwordHash = await hashPassword(parsed.password)
    await store.writer
      .transaction()
      .execute((tx) => replacePassword(tx, { userId: user.id, passwordHash, at: store.clock() }))
    context.print(
      `${user.email} has a new password; every session has ended, and every API token is revoked.\n`,
    )
  })
}
