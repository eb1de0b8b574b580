import { findUpstreamProblems } from '#server/data-dir/upstream-problems.ts'
import type { InstallationHealth } from '#server/store/installation/health.ts'
import type { UpstreamFigures } from '#server/store/upstreams/figures.ts'
import { findUnreadableSecrets } from '#server/trackers/tracker-secrets.ts'
import { ok, problem, skipped, warning, type Check } from './check.ts'

/**
 * Checks upstreams, destinations of alerts, issue trackers, dead letters and uploads of source maps.
 * `secret`: the installation's. `now`: Unix ms.
 */
export function checkDeliveries(
  health: InstallationHealth,
  { upstreams, secret, now }: { upstreams: readonly UpstreamFigures[]; secret?: string; now: number },
): Check[] {
  return [
    ...upstreamChecks(upstreams, now),
    ...destinationChecks(health),
    ...trackerChecks(health, secret),
    deadLetterCheck(health),
    sourceMapCheck(health),
  ]
}

function trackerChecks({ trackerSecrets }: InstallationHealth, secret = ''): Check[] {
  const name = 'Issue trackers'
  const kept = trackerSecrets.filter((each) => each.sealedToken + each.sealedWebhookSecret !== '')
  if (kept.length === 0) return [skipped(name, 'no tokens')]
  const problems = kept.flatMap((each) =>
    findUnreadableSecrets(secret, each).map((kind) =>
      problem(
        name,
        `the ${kind} of project ${each.slug} was encrypted with another secret`,
        'Set the CULVERT_SECRET with which it was encrypted, or enter it again in the settings of the project, under Source code.',
      ),
    ),
  )
  return problems.length > 0 ? problems : [ok(name, 'all secrets can be read')]
}

function upstreamChecks(upstreams: readonly UpstreamFigures[], now: number): Check[] {
  const name = 'Upstreams'
  if (upstreams.length === 0) return [skipped(name, 'none')]
  const problems = upstreams.flatMap((figures) => findUpstreamProblems(figures, now))
  if (problems.length > 0) return problems.map((text) => problem(name, text))
  const failing = upstreams.filter(({ failureCount, isPaused }) => failureCount > 0 && !isPaused)
  if (failing.length > 0)
    return failing.map(({ slug, dsn, failureCount }) =>
      warning(
        name,
        `${dsn.host}, of project ${slug}, failed ${failureCount} times in a row`,
        'Envelopes are queued for it. "culvert upstream list" shows its response.',
      ),
    )
  return [ok(name, `${upstreams.length}, all accept envelopes`)]
}

function destinationChecks({ failingDestinations }: InstallationHealth): Check[] {
  const name = 'Destinations'
  if (failingDestinations.length === 0) return [ok(name, 'none fails')]
  return failingDestinations.map((destination) =>
    problem(
      name,
      `${destination.name} has failed since ${new Date(destination.since).toISOString()}`,
      'See its last response under Settings, Destinations; "culvert destination test" sends a test.',
    ),
  )
}

function deadLetterCheck({ deadLetterCount }: InstallationHealth): Check {
  if (deadLetterCount === 0) return ok('Dead letters', 'none')
  return problem(
    'Dead letters',
    `${deadLetterCount}: items that Culvert failed to process`,
    'See "culvert dead-letters list".',
  )
}

function sourceMapCheck({ sourceMapUploadCount, brokenUploadCount }: InstallationHealth): Check {
  const name = 'Source maps'
  if (brokenUploadCount > 0)
    return warning(
      name,
      `${brokenUploadCount} uploads were not stored completely`,
      'Upload them again with sentry-cli.',
    )
  return sourceMapUploadCount === 0
    ? skipped(name, 'nothing was uploaded')
    : ok(name, `${sourceMapUploadCount} uploads`)
}
