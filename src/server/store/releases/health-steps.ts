import { sql } from 'kysely'
import type { Db } from '#server/store/schema/database.ts'
import { dayMs, last24Hours, stepsUntil, type StepSize, type TimeSteps } from '#time/time-steps.ts'
import { selectSessionHours } from './health.ts'
import type { HealthPeriod, HealthTotal, HealthHistory } from './records.ts'

/** Which sessions of a release are shown. */
export interface HealthStepsQuery {
  projectId: number
  version: string
  period: HealthPeriod
  /** Only sessions of this environment. */
  environment?: string
  /** Unix milliseconds. */
  now: number
}

/** The steps of days are the days by which users are counted. */
const periods: Record<HealthPeriod, StepSize> = {
  '24h': last24Hours,
  '14d': { stepMs: dayMs, stepCount: 14 },
  '90d': { stepMs: dayMs, stepCount: 90 },
}

/** The sessions of a release over a period, compared with all sessions of its project. */
export async function readHealthSteps(db: Db, query: HealthStepsQuery): Promise<HealthHistory> {
  const { period, environment, now } = query
  const frame = stepsUntil(now, periods[period])
  const { since, stepMs, stepCount } = frame
  const [series, steps, days, lastDay] = await Promise.all([
    listSeries(db, query),
    listSteps(db, query, frame),
    // Users are not counted per hour.
    period === '24h' ? [] : listDays(db, query, since),
    listSteps(db, query, stepsUntil(now, last24Hours)),
  ])
  const shown = series.filter((row) => environment === undefined || row.environment === environment)
  return {
    period,
    environment,
    environments: series.map((row) => row.environment),
    total: toTotal(shown, shown),
    sessionCount24h: sum(lastDay.map((row) => row.session_count)),
    projectSessionCount24h: sum(lastDay.map((row) => row.project_session_count)),
    since,
    stepMs,
    steps: Array.from({ length: stepCount }, (_, index) => {
      const isOfStep = (row: { at: number }) => row.at === since + index * stepMs
      const counted = steps.filter(isOfStep)
      const projectSessionCount = sum(counted.map((row) => row.project_session_count))
      return { ...toTotal(counted, days.filter(isOfStep)), projectSessionCount }
    }),
  }
}

const stateColumns = [
  'session_count',
  'errored_count',
  'unhandled_count',
  'abnormal_count',
  'crashed_count',
] as const

type StateCounts = Record<(typeof stateColumns)[number], number | null>

interface UserCounts {
  user_count: number
  crashed_user_count: number
}

/** The counts since the release's first session, by environment. */
function listSeries(db: Db, { projectId, version }: HealthStepsQuery) {
  return db
    .selectFrom('session_series')
    .select(['environment', ...stateColumns, 'user_count', 'crashed_user_count'])
    .where('project_id', '=', projectId)
    .where('version', '=', version)
    .orderBy('environment')
    .execute()
}

/** The sessions of the project in each step, and the release's sessions among them. */
function listSteps(
  db: Db,
  { projectId, version, environment }: HealthStepsQuery,
  { since, stepMs }: TimeSteps,
) {
  return selectSessionHours(db, { since, environment })
    .select((of) => [
      sql<number>`h.hour - h.hour % ${sql.lit(stepMs)}`.as('at'),
      of.fn.sum<number>('h.session_count').as('project_session_count'),
      ...stateColumns.map((column) =>
        of.fn.sum<number | null>(`h.${column}`).filterWhere('s.version', '=', version).as(column),
      ),
    ])
    .where('s.project_id', '=', projectId)
    .groupBy('at')
    .execute()
}

/** The users of the release on each day. */
function listDays(db: Db, { projectId, version, environment }: HealthStepsQuery, since: number) {
  return db
    .selectFrom('session_series as s')
    .innerJoin('session_days as d', (join) =>
      join.onRef('d.project_id', '=', 's.project_id').onRef('d.series_id', '=', 's.id'),
    )
    .select((of) => [
      'd.day as at',
      of.fn.sum<number>('d.user_count').as('user_count'),
      of.fn.sum<number>('d.crashed_user_count').as('crashed_user_count'),
    ])
    .where('s.project_id', '=', projectId)
    .where('s.version', '=', version)
    .where('d.day', '>=', since)
    .$if(environment !== undefined, (select) => select.where('s.environment', '=', environment ?? ''))
    .groupBy('d.day')
    .execute()
}

/** A user counts once per environment. */
function toTotal(sessions: readonly StateCounts[], users: readonly UserCounts[]): HealthTotal {
  const [all = 0, errored = 0, unhandled = 0, abnormal = 0, crashed = 0] = stateColumns.map((column) =>
    sum(sessions.map((row) => row[column])),
  )
  const healthy = all - errored - unhandled - abnormal - crashed
  return {
    counts: { healthy, errored, unhandled, abnormal, crashed },
    userCount: sum(users.map((row) => row.user_count)),
    crashedUserCount: sum(users.map((row) => row.crashed_user_count)),
  }
}

function sum(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0)
}
