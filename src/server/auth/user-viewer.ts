import { findUser, listMemberships } from '#server/store/accounts/users.ts'
import type { Store } from '#server/store/store.ts'
import { parseRole } from './roles.ts'
import type { Membership, Viewer } from './viewer.ts'

/**
 * A user as a viewer without a session: the access of the user's tokens. Two statements; undefined if the
 * user does not exist.
 */
export async function findUserViewer({ db }: Store, userId: string): Promise<Viewer | undefined> {
  const user = await findUser(db, userId)
  if (user === undefined) return undefined
  return {
    userId,
    name: user.name,
    email: user.email,
    hasTwoFactor: false,
    hasShortcuts: false,
    sessionToken: '',
    memberships: await readMemberships({ db }, userId),
  }
}

/** The memberships of a user. One statement. */
export async function readMemberships({ db }: Pick<Store, 'db'>, userId: string): Promise<Membership[]> {
  const memberships = await listMemberships(db, userId)
  return memberships.flatMap((membership) => {
    const role = parseRole(membership.role)
    return role === undefined ? [] : [{ ...membership, role }]
  })
}
