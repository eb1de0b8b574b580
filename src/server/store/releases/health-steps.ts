import { sql, type Kysely } from 'kysely'
import * as v from 'valibot'
import type { SessionState } from '#protocol/session.ts'
import type { Database } from '#server/store/schema/database.ts'
import { dayMs, firstOf24Hours, last24Hours, stepsUntil, type StepSize } from '#time/time-steps.ts'
import { releaseArtifacts, releaseColumns, releaseCommits, releaseCounts, type ReleaseRow } from './row.ts'
import type { HealthPeriod, HealthStep, HealthTotal, ReleaseHealthView } from './views.ts'

/** What of the sessions of a release is shown. */
export interface HealthStepsQuery {
  period: HealthPeriod
  /** Only sessions in it. */
  environment?: string
  /** Unix milliseconds. */
  now: number
}

/** Days are those that users are counted by. */
const periods: Record<HealthPeriod, StepSize> = {
  '24h': last24Hours,
  '14d': { stepMs: dayMs, stepCount: 14 },
  '90d': { stepMs: dayMs, stepCount: 90 },
}

function stepsOf({ period, now }: HealthStepsQuery) {
  return stepsUntil(now, periods[period])
}

/** A release with lists, as JSON, of what was counted of its sessions; and how much was uploaded for it. */
export interface ReleaseHealthRow extends ReleaseRow {
  artifact_count: number
  uploads: string
  commit_count: number
  commits: string
  health_series: string
  health_steps: string
  health_days: string
  health_project: string
  health_24h: string
}

/**
 * The releases with a name in any of the projects, those with the latest event first, with their sessions.
 * One statement.
 */
export function findReleasesWithHealth(
  db: Kysely<Database>,
  {
    version,
    projectIds,
    health,
  }: { version: string; projectIds: readonly number[]; health: HealthStepsQuery },
): Promise<ReleaseHealthRow[]> {
  return db
    .selectFrom('releases as r')
    .innerJoin('projects as p', 'p.id', 'r.project_id')
    .select(releaseColumns)
    .select(releaseCounts)
    .select(releaseArtifacts)
    .select(releaseCommits)
    .select(healthColumns(health))
    .where('r.version', '=', version)
    .where('r.project_id', 'in', projectIds)
    .orderBy('r.last_seen_at', 'desc')
    .orderBy('r.project_id')
    .execute()
}

const ofRelease = sql`s.project_id = r.project_id AND s.version = r.version`

const hoursSince = (from: number) => sql`session_series s
  JOIN session_hours h ON h.project_id = s.project_id AND h.series_id = s.id AND h.hour >= ${from}`

function healthColumns(query: HealthStepsQuery) {
  const { since, stepMs } = stepsOf(query)
  const since24h = firstOf24Hours(query.now)
  const inEnvironment =
    query.environment === undefined ? sql`` : sql`AND s.environment = ${query.environment}`
  const at = sql`h.hour - h.hour % ${sql.lit(stepMs)} AS at`
  const ofProject = (from: number) =>
    sql`s.project_id = r.project_id AND s.last_session_at >= ${from} ${inEnvironment}`
  return [
    sql<string>`(SELECT json_group_array(json_array(s.environment, s.session_count, s.errored_count, s.unhandled_count,
        s.abnormal_count, s.crashed_count, s.user_count, s.crashed_user_count) ORDER BY s.environment)
      FROM session_series s WHERE ${ofRelease})`.as('health_series'),
    sql<string>`(SELECT json_group_array(json_array(at, sessions, errored, unhandled, abnormal, crashed)) FROM (
      SELECT ${at}, sum(h.session_count) AS sessions, sum(h.errored_count) AS errored,
        sum(h.unhandled_count) AS unhandled, sum(h.abnormal_count) AS abnormal, sum(h.crashed_count) AS crashed
      FROM ${hoursSince(since)} WHERE ${ofRelease} ${inEnvironment} GROUP BY 1))`.as('health_steps'),
    sql<string>`(SELECT json_group_array(json_array(at, users, crashed_users)) FROM (
      SELECT d.day AS at, sum(d.user_count) AS users, sum(d.crashed_user_count) AS crashed_users
      FROM session_series s
      JOIN session_days d ON d.project_id = s.project_id AND d.series_id = s.id AND d.day >= ${since}
      WHERE ${ofRelease} ${inEnvironment} GROUP BY 1))`.as('health_days'),
    sql<string>`(SELECT json_group_array(json_array(at, sessions)) FROM (
      SELECT ${at}, sum(h.session_count) AS sessions FROM ${hoursSince(since)}
      WHERE ${ofProject(since)} GROUP BY 1))`.as('health_project'),
    sql<string>`(SELECT json_array(coalesce(sum(h.session_count) FILTER (WHERE s.version = r.version), 0),
        coalesce(sum(h.session_count), 0))
      FROM ${hoursSince(since24h)} WHERE ${ofProject(since24h)})`.as('health_24h'),
  ]
}

const n = v.number()
const StoredSeries = v.array(v.tuple([v.string(), n, n, n, n, n, n, n]))
const StoredSteps = v.array(v.tuple([n, n, n, n, n, n]))
const StoredDays = v.array(v.tuple([n, n, n]))
const StoredProject = v.array(v.tuple([n, n]))
const StoredDay = v.tuple([n, n])

/** What is shown of the sessions of a release. */
export function toHealthView(row: ReleaseHealthRow, query: HealthStepsQuery): ReleaseHealthView {
  const series = v.parse(StoredSeries, JSON.parse(row.health_series))
  const { period, environment } = query
  const [sessionCount24h, projectSessionCount24h] = v.parse(StoredDay, JSON.parse(row.health_24h))
  const shown = environment === undefined ? series : series.filter(([name]) => name === environment)
  const { since, stepMs } = stepsOf(query)
  return {
    period,
    ...(environment !== undefined && { environment }),
    environments: series.map(([name]) => name),
    total: toTotal(shown),
    sessionCount24h,
    projectSessionCount24h,
    since,
    stepMs,
    steps: toSteps(row, query),
  }
}

/** A user counts once in each environment. */
function toTotal(series: v.InferOutput<typeof StoredSeries>): HealthTotal {
  const sum = [0, 0, 0, 0, 0, 0, 0] as const
  const [sessions, errored, unhandled, abnormal, crashed, userCount, crashedUserCount] = sum.map(
    (_, column) => series.reduce((total, [, ...counts]) => total + (counts[column] ?? 0), 0),
  )
  return {
    counts: toCounts([sessions, errored, unhandled, abnormal, crashed]),
    userCount: userCount ?? 0,
    crashedUserCount: crashedUserCount ?? 0,
  }
}

function toSteps(row: ReleaseHealthRow, query: HealthStepsQuery): HealthStep[] {
  const { since, stepMs, stepCount } = stepsOf(query)
  const counted = new Map(
    v.parse(StoredSteps, JSON.parse(row.health_steps)).map(([at, ...counts]) => [at, counts]),
  )
  const ofProject = new Map(v.parse(StoredProject, JSON.parse(row.health_project)))
  const days = v.parse(StoredDays, JSON.parse(row.health_days))
  const users = new Map(days.map(([at, ...counts]) => [at, counts]))
  return Array.from({ length: stepCount }, (_, index) => {
    const at = since + index * stepMs
    // By the hour nobody has counted users.
    const [userCount, crashedUserCount] = (query.period === '24h' ? undefined : users.get(at)) ?? [0, 0]
    const counts = toCounts(counted.get(at) ?? [])
    return { counts, userCount, crashedUserCount, projectSessionCount: ofProject.get(at) ?? 0 }
  })
}

/** Of all sessions and those that were not healthy, in the order of the columns. */
function toCounts(columns: readonly (number | undefined)[]): Record<SessionState, number> {
  const [sessions = 0, errored = 0, unhandled = 0, abnormal = 0, crashed = 0] = columns
  return {
    healthy: sessions - errored - unhandled - abnormal - crashed,
    errored,
    unhandled,
    abnormal,
    crashed,
  }
}
