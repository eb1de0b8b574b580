import { OperatorError } from '#server/errors.ts'
import { countWithRole } from '#server/store/accounts/members.ts'
import { deleteUser, listMemberships } from '#server/store/accounts/users.ts'
import type { Store } from '#server/store/store.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { readEmail, requireAccount } from './account.ts'

const usage = 'culvert user remove EMAIL'

/**
 * `culvert user remove`: deletes an account, ends its sessions and revokes its API tokens. Comments remain
 * without its name. The server unassigns its issues.
 */
export const userRemove: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const email = readEmail(usage, positionals)
  await withProjectStore(context, async ({ store }) => {
    const user = await requireAccount(store, email)
    const onlyOwnerOf = await recordDeletion(store, user.id)
    if (onlyOwnerOf.length > 0) {
      throw new OperatorError(
        `${user.email} is the only owner of ${onlyOwnerOf.join(', ')}. An organization needs an owner: make another account an owner first with "culvert user set-role".`,
      )
    }
    context.print(
      `The account ${user.email} is deleted; every session has ended, and every API token is revoked.\n`,
    )
  })
}

/** Deletes the account, unless it is the only owner of the returned organizations. One transaction. */
function recordDeletion(store: Store, userId: string): Promise<string[]> {
  return store.writer.transaction().execute(async (tx) => {
    const onlyOwnerOf: string[] = []
    for (const { organizationId, organizationName, role } of await listMemberships(tx, userId)) {
      const ownerCount = await countWithRole(tx, { organizationId, role: 'owner' })
      if (role === 'owner' && ownerCount === 1) onlyOwnerOf.push(organizationName)
    }
    if (onlyOwnerOf.length === 0) await deleteUser(tx, userId)
    return onlyOwnerOf
  })
}
