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
