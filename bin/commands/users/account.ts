import { OperatorError } from '#server/errors.ts'
import { findUserByEmail } from '#server/store/accounts/users.ts'
import type { Store } from '#server/store/store.ts'

/** The only argument, an email address. Throws an `OperatorError` with the usage for none or several. */
export function readEmail(usage: string, [email = '', ...more]: readonly string[]): string {
  if (email === '' || more.length > 0)
    throw new OperatorError(`One email address is needed.\nUsage: ${usage}`, 2)
  return email
}

/** The account with an email address, in any spelling. Throws an `OperatorError` if there is none. */
export async function requireAccount(store: Store, email: string) {
  const user = await findUserByEmail(store.db, email.trim().toLowerCase())
  if (user === undefined) throw new OperatorError(`No account has the email address ${email}.`)
  return user
}
