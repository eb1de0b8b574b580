import type { MembershipRow, UserPreferences } from '#server/store/accounts/users.ts'
import { isAllowed, type Permission, type Role } from './roles.ts'

/** The user of the console: signed in, with their access. */
export interface Viewer extends UserPreferences {
  userId: string
  name: string
  email: string
  hasTwoFactor: boolean
  /** The session of this request. */
  sessionToken: string
  memberships: Membership[]
}

/** A user's membership in one organization. */
export interface Membership extends MembershipRow {
  role: Role
}

/** Every project that the viewer has access to, in any organization. Others are 404, never 403. */
export function reachableProjects(viewer: Viewer): number[] {
  return viewer.memberships.flatMap(({ projectIds }) => projectIds)
}

/** The projects in which the viewer has a permission. */
export function projectsWith(viewer: Viewer, permission: Permission): number[] {
  return viewer.memberships
    .filter(({ role }) => isAllowed(role, permission))
    .flatMap(({ projectIds }) => projectIds)
}

/** True for users who administer an organization: they manage its members and see the system status. */
export function canConfigure(viewer: Viewer): boolean {
  return viewer.memberships.some(({ role }) => isAllowed(role, 'configure'))
}

/** The viewer's memberships in organizations that they administer. */
export function listConfigurable({ memberships }: Viewer): Membership[] {
  return memberships.filter(({ role }) => isAllowed(role, 'configure'))
}

/** One of them by the id of its organization, as a form sends it. */
export function findConfigurable(viewer: Viewer, organization: unknown): Membership | undefined {
  return listConfigurable(viewer).find(({ organizationId }) => String(organizationId) === organization)
}
