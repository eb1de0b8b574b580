/** The roles of a member in an organization, weakest first: each has all permissions of those before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/**
 * The role that each permission requires: `read` screens, `triage` issues, `configure` projects and invite
 * people, `govern` the organization itself and its owners.
 */
const roleFor = { read: 'viewer', triage: 'member', configure: 'admin', govern: 'owner' } as const
export type Permission = keyof typeof roleFor

/** True if the role includes the permission. */
export function isAllowed(role: Role, permission: Permission): boolean {
  return roles.indexOf(role) >= roles.indexOf(roleFor[permission])
}

/** The roles with access to every project of their organization, regardless of a membership's projects. */
export const rolesWithAllProjects: readonly Role[] = roles.filter((role) => isAllowed(role, 'configure'))

/** The roles that a member may grant to others. */
export function listGrantableRoles(own: Role): readonly Role[] {
  if (!isAllowed(own, 'configure')) return []
  return isAllowed(own, 'govern') ? roles : roles.filter((role) => !isAllowed(role, 'govern'))
}

/** Parses the name of a role. */
export function parseRole(text: unknown): Role | undefined {
  return roles.find((role) => role === text)
}
