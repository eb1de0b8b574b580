import { isAllowed, type Permission } from './roles.ts'
import type { Viewer } from './viewer.ts'

/** The permissions of a token, by Sentry's names. The screen that creates tokens describes each of them. */
export const tokenScopes = [
  'org:read',
  'project:read',
  'project:releases',
  'event:read',
  'event:write',
  'alerts:write',
  'org:admin',
] as const

export type TokenScope = (typeof tokenScopes)[number]

/** True for the name of a scope. */
export function isTokenScope(text: string): text is TokenScope {
  return tokenScopes.some((scope) => scope === text)
}

/** What the API requires of the user of a token in addition to the scope. */
const permissionFor: Record<TokenScope, Permission> = {
  'org:read': 'read',
  'project:read': 'read',
  'project:releases': 'triage',
  'event:read': 'read',
  'event:write': 'triage',
  'alerts:write': 'configure',
  'org:admin': 'configure',
}

/**
 * The scopes that the user's role allows in an organization. An existing token may have others: roles change,
 * and the API checks both.
 */
export function listUsableScopes({ memberships }: Pick<Viewer, 'memberships'>): TokenScope[] {
  return tokenScopes.filter((scope) => memberships.some(({ role }) => isAllowed(role, permissionFor[scope])))
}
