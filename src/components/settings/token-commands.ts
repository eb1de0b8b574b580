/** Commands that try a new token with sentry-cli. */
export function tokenCommands({
  origin,
  organizationSlug,
  token,
}: {
  origin: string
  organizationSlug: string
  token: string
}): string {
  return [
    `export SENTRY_URL=${origin}`,
    `export SENTRY_ORG=${organizationSlug}`,
    `export SENTRY_AUTH_TOKEN=${token}`,
    'sentry-cli info',
  ].join('\n')
}
