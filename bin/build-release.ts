import { execFileSync } from 'node:child_process'

/** Variables in which CI systems and hosts provide the commit, most explicit first. */
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

/** Written by the build of the npm package, which has no git history; undeclared when run from source. */
declare const __CULVERT_RELEASE__: string | undefined

/**
 * The release of this build in the server, the browser and the failure page.
 *
 * Read at build time: `SENTRY_RELEASE`, otherwise the CI's commit variable, git's HEAD, or `unreleased` for a
 * source archive without history.
 */
export function readBuildRelease(env: Readonly<Record<string, string | undefined>>): string {
  for (const name of releaseVariables) {
    const value = env[name]?.trim()
    if (value !== undefined && value !== '') return value
  }
  if (typeof __CULVERT_RELEASE__ !== 'undefined') return __CULVERT_RELEASE__
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unreleased'
  }
}
