import { randomBytes } from 'node:crypto'
import { text as readText } from 'node:stream/consumers'
import { createMember, firstOrganizationId, parseAccountForm } from '#server/auth/new-accounts.ts'
import { parseRole, roles } from '#server/auth/roles.ts'
import { OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { createAccountLink } from '#server/store/accounts/links.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore, type ProjectStore } from '../projects/store.ts'

const usage = 'culvert user add EMAIL [--name NAME] [--role viewer|member|admin|owner] [--password-stdin]'

/**
 * `culvert user add`: creates an account in the first organization and prints a link to set the password, or
 * reads the password from standard input.
 */
export const userAdd: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, args, {
    name: { type: 'string' },
    role: { type: 'string' },
    'password-stdin': { type: 'boolean' },
  })
  const [email = '', ...more] = positionals
  if (email === '' || more.length > 0)
    throw new OperatorError(`One email address is needed.\nUsage: ${usage}`, 2)
  const role = parseRole(values.role ?? 'member')
  if (role === undefined) {
    throw new OperatorError(
      `--role is ${JSON.stringify(values.role)}: it must be one of ${roles.join(', ')}.`,
      2,
    )
  }
  const password = values['password-stdin'] === true ? await readPassword() : undefined
  const parsed = await parseAccountForm({
    name: values.name ?? email.split('@')[0],
    email,
    password: password ?? randomBytes(32).toString('hex'),
  })
  if (!parsed.ok) throw new OperatorError(parsed.problems.map(({ message }) => message).join('\n'), 2)
  const work = async ({ store, origin }: ProjectStore) => {
    const userId = await createMember(store, { ...parsed.form, organizationId: firstOrganizationId, role })
    if (userId === undefined) {
      throw new OperatorError(
        `${parsed.form.email} already has an account. See "culvert user reset-password" and "culvert user set-role".`,
      )
    }
    context.print(`${parsed.form.email} now has the role ${role}.\n`)
    if (password !== undefined) return
    const token = await createAccountLink(store, {
      purpose: { kind: 'password', userId },
      lifetimeMs: limits.inviteMs,
    })
    context.print(`Choose a password within 7 days:  ${origin}/password/${token}\n`)
  }
  // On a publicly reachable server, the first account is created before the first start.
  await withProjectStore(context, work, { createsInstallation: true })
}

/** The first line of standard input. */
export async function readPassword(): Promise<string> {
  const [line = ''] = (await readText(process.stdin)).split(/\r?\n/)
  return line
}
