import type { CommitHead } from '#server/store/releases/commits.ts'
import { healthKey } from '#server/store/releases/health.ts'
import type {
  Deploy,
  ReleaseCommit,
  ReleaseHealthRecord,
  ReleaseSummary,
} from '#server/store/releases/records.ts'
import { toDeploys, toReleaseSummary, type ReleaseRow } from '#server/store/releases/row.ts'
import type { ReleaseAnswer } from './answer.ts'

const iso = (at: number) => new Date(at).toISOString()
const orNull = (at: number | undefined) => (at === undefined ? null : iso(at))

/** Data of releases that is not in their rows. */
export interface ReleaseDetails {
  /** By version. */
  commits: ReadonlyMap<string, CommitHead>
  /** Absent unless the request has `health=1`. */
  health?: ReadonlyMap<string, ReleaseHealthRecord>
}

/** Converts the rows of one version, at least one, to one release of Sentry's API. */
export function toReleaseJson(
  rows: readonly ReleaseRow[],
  { commits, health }: ReleaseDetails,
): ReleaseAnswer {
  const summaries = rows.map(toReleaseSummary)
  const [first] = summaries
  if (first === undefined) throw new TypeError('a release is of at least one project')
  const firstEvents = summaries.flatMap(({ firstEventAt }) => firstEventAt ?? [])
  const lastEvents = summaries.flatMap(({ lastEventAt }) => lastEventAt ?? [])
  const deploys = listDeploysOf(rows)
  const [lastDeploy] = deploys
  const commit = commits.get(first.version)
  return {
    id: first.version,
    version: first.version,
    shortVersion: first.version,
    status: rows.every((row) => row.is_archived === 1) ? 'archived' : 'open',
    ref: rows.find(({ ref }) => ref !== null)?.ref ?? null,
    url: rows.find(({ url }) => url !== null)?.url ?? null,
    dateCreated: iso(Math.min(...rows.map((row) => row.created_at))),
    dateReleased: orNull(summaries.find(({ isFinalized }) => isFinalized)?.datedAt),
    firstEvent: orNull(firstEvents.length > 0 ? Math.min(...firstEvents) : undefined),
    lastEvent: orNull(lastEvents.length > 0 ? Math.max(...lastEvents) : undefined),
    newGroups: summaries.reduce((sum, { newIssueCount }) => sum + newIssueCount, 0),
    commitCount: commit?.count ?? 0,
    lastCommit: commit ? toCommitJson(commit.last) : null,
    deployCount: deploys.length,
    lastDeploy: lastDeploy ? toDeployJson(lastDeploy) : null,
    authors: [],
    data: {},
    projects: summaries.map((summary) => toProjectJson(summary, health)),
  }
}

function toProjectJson(summary: ReleaseSummary, health: ReleaseDetails['health']) {
  const { id, slug, name, platform } = summary.project
  const healthData = health && toHealthJson(health.get(healthKey(summary)) ?? 'none')
  return {
    id,
    slug,
    name,
    platform: platform ?? null,
    newGroups: summary.newIssueCount,
    ...(healthData && { healthData }),
  }
}

/** Deploys of a release, newest first. A deploy has the same id in all projects of the release. */
export function listDeploysOf(rows: readonly ReleaseRow[]): Deploy[] {
  const deploys = new Map(rows.flatMap(toDeploys).map((each) => [each.id, each]))
  return [...deploys.values()].toSorted((one, other) => other.id - one.id)
}

/** Session health in Sentry's terms. Rates are percentages, null without sessions. */
function toHealthJson(health: ReleaseHealthRecord | 'none') {
  if (health === 'none') return { hasHealthData: false as const }
  const { sessionCount, erroredCount, crashedCount, userCount, crashedUserCount } = health
  const sessionCount24h = health.hours24.reduce((sum, count) => sum + count, 0)
  return {
    hasHealthData: true as const,
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

/** Converts a deploy to the deploy of Sentry's API. */
export function toDeployJson({ id, environment, name, url, startedAt, finishedAt }: Deploy) {
  return {
    id: String(id),
    environment,
    name: name ?? null,
    url: url ?? null,
    dateStarted: orNull(startedAt),
    dateFinished: iso(finishedAt),
  }
}

/** Converts a commit to the commit of Sentry's API. */
export function toCommitJson({ id, message, authorName, authorEmail, committedAt }: ReleaseCommit) {
  return {
    id,
    message: message ?? null,
    dateCreated: orNull(committedAt),
    author: authorEmail === undefined ? null : { name: authorName ?? null, email: authorEmail },
  }
}
