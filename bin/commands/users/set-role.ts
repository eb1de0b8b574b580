import { firstOrganizationId } from '#server/auth/new-accounts.ts'
import { parseRole, roles, type Role } from '#server/auth/roles.ts'
import { OperatorError } from '#server/errors.ts'
import { countWithRole, findRole, setRole } from '#server/store/accounts/members.ts'
import { putMembership } from '#server/store/accounts/users.ts'
import type { Store } from '#server/store/store.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { requireAccount } from './account.ts'

const usage = `culvert user set-role EMAIL ${roles.join('|')}`

/**
 * `culvert user set-role`: changes the role of an account in the first organization, for example because its
 * owner has left. An account that is not a member becomes one, with access to all projects.
 */
export const userSetRole: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const [email = '', roleText = '', ...more] = positionals
  const role = parseRole(roleText)
  if (email === '' || role === undefined || more.length > 0)
    throw new OperatorError(`One email address and a role are needed.\nUsage: ${usage}`, 2)
  await withProjectStore(context, async ({ store }) => {
    const user = await requireAccount(store, email)
    if (!(await recordRole(store, user.id, role)))
      throw new OperatorError('An organization needs an owner: make another account an owner first.')
    context.print(`${user.email} now has the role ${role}.\n`)
  })
}

/** Returns false for the only owner. One transaction. */
function recordRole(store: Store, userId: string, role: Role): Promise<boolean> {
  const member = { organizationId: firstOrganizationId, userId, role }
  return store.writer.transaction().execute(async (tx) => {
    const current = await findRole(tx, member)
    const ownerCount = await countWithRole(tx, { ...member, role: 'owner' })
    if (current === 'owner' && role !== 'owner' && ownerCount === 1) return false
    if (current === undefined) await putMembership(tx, { ...member, at: store.clock() })
    else await setRole(tx, member)
    return true
  })
}
