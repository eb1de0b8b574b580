import { sql } from 'kysely'
import type { Db } from '#server/store/schema/database.ts'

/** Which sessions to count. */
export interface SessionStepQuery {
  projectIds: readonly number[]
  /** Inclusive; `until` is exclusive. Unix milliseconds. */
  since: number
  until: number
  /** Length of a step. Steps begin at its multiples, in UTC. */
  stepMs: number
  /** Only these environments; empty for all. */
  environments: readonly string[]
  versions: readonly string[]
}

/** Sessions of a release and environment that began in one time step. */
export interface SessionStep {
  project: number
  release: string
  environment: string
  startAt: number
  all: number
  /** Errored without a crash; the states are mutually exclusive. */
  errored: number
  abnormal: number
  crashed: number
}

/** Sessions by release, environment and step. One statement. */
export async function listSessionSteps(db: Db, query: SessionStepQuery): Promise<SessionStep[]> {
  const startAt = sql<number>`h.hour - h.hour % ${sql.lit(query.stepMs)}`
  return selectSeries(db, query)
    .innerJoin('session_hours as h', (join) =>
      join.onRef('h.project_id', '=', 's.project_id').onRef('h.series_id', '=', 's.id'),
    )
    .select(['s.project_id as project', 's.version as release', 's.environment', startAt.as('startAt')])
    .select((of) => [
      of.fn.sum<number>('h.session_count').as('all'),
      sql<number>`sum(h.errored_count + h.unhandled_count)`.as('errored'),
      of.fn.sum<number>('h.abnormal_count').as('abnormal'),
      of.fn.sum<number>('h.crashed_count').as('crashed'),
    ])
    .where('h.hour', '>=', query.since)
    .where('h.hour', '<', query.until)
    .groupBy(['s.project_id', 's.version', 's.environment', startAt])
    .execute()
}

/** Users of a release and environment on the days of one step. */
export interface UserStep {
  project: number
  release: string
  environment: string
  startAt: number
  /** A user counts once per day. */
  users: number
  crashedUsers: number
}

/** Users by release, environment and step; steps are whole days. One statement. */
export async function listUserSteps(db: Db, query: SessionStepQuery): Promise<UserStep[]> {
  const startAt = sql<number>`d.day - d.day % ${sql.lit(query.stepMs)}`
  return selectSeries(db, query)
    .innerJoin('session_days as d', (join) =>
      join.onRef('d.project_id', '=', 's.project_id').onRef('d.series_id', '=', 's.id'),
    )
    .select(['s.project_id as project', 's.version as release', 's.environment', startAt.as('startAt')])
    .select((of) => [
      of.fn.sum<number>('d.user_count').as('users'),
      of.fn.sum<number>('d.crashed_user_count').as('crashedUsers'),
    ])
    .where('d.day', '>=', query.since)
    .where('d.day', '<', query.until)
    .groupBy(['s.project_id', 's.version', 's.environment', startAt])
    .execute()
}

function selectSeries(db: Db, { projectIds, since, environments, versions }: SessionStepQuery) {
  return db
    .selectFrom('session_series as s')
    .where('s.project_id', 'in', projectIds)
    .where('s.last_session_at', '>=', since)
    .$if(environments.length > 0, (select) => select.where('s.environment', 'in', environments))
    .$if(versions.length > 0, (select) => select.where('s.version', 'in', versions))
}
