import type { ReleaseCommit } from '#server/store/releases/changes.ts'
import type { CommitHead } from '#server/store/releases/commits.ts'
import { healthKey } from '#server/store/releases/health.ts'
import type { Deploy, ReleaseHealthRecord, ReleaseSummary } from '#server/store/releases/records.ts'
import { toDeploys, toReleaseSummary, type ReleaseRow } from '#server/store/releases/row.ts'
import type { ReleaseAnswer } from './answer.ts'

const iso = (at: number) => new Date(at).toISOString()
const orNull = (at: number | undefined) => (at === undefined ? null : iso(at))

/** What is read of releases beside their rows. */
export interface ReleaseDetails {
  /** By version. */
  commits: ReadonlyMap<string, CommitHead>
  /** Absent where nobody asked for it. */
  health?: ReadonlyMap<string, ReleaseHealthRecord>
}

/**
 * A release of several projects as one, as Sentry's API has it. `rows` are those of one version, at least
 * one.
 */
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

/**
 * The deploys of a release, the latest first. That of a release in several projects has one id in all of
 * them.
 */
export function listDeploysOf(rows: readonly ReleaseRow[]): Deploy[] {
  const deploys = new Map(rows.flatMap(toDeploys).map((each) => [each.id, each]))
  return [...deploys.values()].toSorted((one, other) => other.id - one.id)
}

/**
 * How the sessions of a release went, under Sentry's names; rates are percentages, and null where nothing was
 * counted.
 */
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

/** A deploy as Sentry's API has it. */
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

/** A commit as Sentry's API has it. */
export function toCommitJson({ id, message, authorName, authorEmail, committedAt }: ReleaseCommit) {
  return {
    id,
    message: message ?? null,
    dateCreated: orNull(committedAt),
    author: authorEmail === undefined ? null : { name: authorName ?? null, email: authorEmail },
  }
}
