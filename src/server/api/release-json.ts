import type { ReleaseCommit } from '#server/store/release-changes.ts'
import type { DeployView, ReleaseHealth, ReleaseSummary } from '#server/store/release-views.ts'

const iso = (at: number) => new Date(at).toISOString()
const orNull = (at: number | undefined) => (at === undefined ? null : iso(at))

/**
 * A release of several projects as one, as Sentry's API has it. `summaries` are those of one version, at least one. `health`
 * is that of the first, where it is asked for.
 */
export function toReleaseJson(
  summaries: readonly ReleaseSummary[],
  extra: { url?: string; ref?: string } = {},
  health?: ReleaseHealth | 'none',
) {
  const [first] = summaries
  if (first === undefined) throw new TypeError('a release is of at least one project')
  const firstEvents = summaries.flatMap(({ firstEventAt }) => firstEventAt ?? [])
  const lastEvents = summaries.flatMap(({ lastEventAt }) => lastEventAt ?? [])
  return {
    version: first.version,
    shortVersion: first.version,
    ref: extra.ref ?? null,
    url: extra.url ?? null,
    dateCreated: iso(Math.min(...summaries.map(({ datedAt }) => datedAt))),
    dateReleased: orNull(summaries.find(({ isFinalized }) => isFinalized)?.datedAt),
    firstEvent: orNull(firstEvents.length > 0 ? Math.min(...firstEvents) : undefined),
    lastEvent: orNull(lastEvents.length > 0 ? Math.max(...lastEvents) : undefined),
    newGroups: summaries.reduce((sum, { newIssueCount }) => sum + newIssueCount, 0),
    commitCount: 0,
    lastCommit: null,
    deployCount: summaries.some(({ lastDeploy }) => lastDeploy !== undefined) ? 1 : 0,
    lastDeploy: first.lastDeploy ? toDeployJson(first.lastDeploy) : null,
    authors: [],
    data: {},
    projects: summaries.map(({ project, newIssueCount }) => ({
      id: project.id,
      slug: project.slug,
      name: project.name,
      platform: project.platform ?? null,
      newGroups: newIssueCount,
      ...(health !== undefined && { healthData: toHealthJson(health) }),
    })),
  }
}

/** How the sessions of a release went, under Sentry's names; rates are percentages, and null where nothing was counted. */
function toHealthJson(health: ReleaseHealth | 'none') {
  if (health === 'none') return { hasHealthData: false }
  const { sessionCount, erroredCount, crashedCount, userCount, crashedUserCount } = health
  const sessionCount24h = health.hours24.reduce((sum, count) => sum + count, 0)
  return {
    hasHealthData: true,
    sessionsAdoption: toPercent(sessionCount24h, health.projectSessionCount24h),
    crashFreeSessions: toPercent(sessionCount - crashedCount, sessionCount),
    crashFreeUsers: toPercent(userCount - crashedUserCount, userCount),
    totalSessions: sessionCount,
    totalSessions24h: sessionCount24h,
    totalProjectSessions24h: health.projectSessionCount24h,
    totalUsers: userCount,
    sessionsCrashed: crashedCount,
    sessionsErrored: erroredCount,
  }
}

function toPercent(part: number, whole: number): number | null {
  return whole > 0 ? (Math.max(0, part) / whole) * 100 : null
}

/** A deploy as Sentry's API has it. */
export function toDeployJson({ id, environment, name, url, startedAt, finishedAt }: DeployView) {
  return {
    id: String(id),
    environment,
    name: name ?? null,
    url: url ?? null,
    dateStarted: orNull(startedAt),
    dateFinished: iso(finishedAt),
  }
}

/** A commit as Sentry's API has it. */
export function toCommitJson({ id, message, authorName, authorEmail, committedAt }: ReleaseCommit) {
  return {
    id,
    message: message ?? null,
    dateCreated: orNull(committedAt),
    author: authorEmail === undefined ? null : { name: authorName ?? null, email: authorEmail },
  }
}
