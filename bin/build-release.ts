import { execFileSync } from 'node:child_process'

/** Variables in which CI systems and hosts name the commit they build, most explicit first. */
const releaseVariables = [
  'SENTRY_RELEASE',
  'GITHUB_SHA',
  'VERCEL_GIT_COMMIT_SHA',
  'CI_COMMIT_SHA',
  'CIRCLE_SHA1',
  'BITBUCKET_COMMIT',
  'RENDER_GIT_COMMIT',
  'SOURCE_VERSION',
]

/**
 * The release identifier that this build carries in the server, the browser and the failure page.
 *
 * Read once, at build time: `SENTRY_RELEASE`, else the CI's commit variable, else git's HEAD, else
 * `unreleased` (a source archive without history).
 */
export function readBuildRelease(env: Readonly<Record<string, string | undefined>>): string {
  for (const name of releaseVariables) {
    const value = env[name]?.trim()
    if (value !== undefined && value !== '') return value
  }
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unreleased'
  }
}
