import { sql } from 'kysely'
import type { Db } from '#server/store/schema/database.ts'
import { countPerStep, last24Hours, stepsUntil } from '#time/time-steps.ts'
import type { CrashCounts, ReleaseHealthRecord } from './records.ts'

/** Selects releases of projects, and the environment whose sessions count; absent for all environments. */
export interface SessionsQuery {
  releases: readonly { version: string; project: { id: number } }[]
  environment?: string | undefined
}

/** Identifies a release of a project. */
type ReleaseKey = `${number} ${string}`

/** The key of a release in the results of `readReleaseHealth` and `readSessionTotals`. */
export function healthKey({ version, project }: SessionsQuery['releases'][number]): ReleaseKey {
  return `${project.id} ${version}`
}

const keyOf = (row: { project_id: number; version: string }) =>
  healthKey({ version: row.version, project: { id: row.project_id } })

/** The health of the sessions of releases. Releases without sessions are left out. */
export async function readReleaseHealth(
  db: Db,
  query: SessionsQuery & { now: number },
): Promise<Map<ReleaseKey, ReleaseHealthRecord>> {
  if (query.releases.length === 0) return new Map()
  const projectIds = [...new Set(query.releases.map(({ project }) => project.id))]
  const steps = stepsUntil(query.now, last24Hours)
  const ofDay = selectSessionHours(db, { ...query, since: steps.since })
  const [totals, hours, projects] = await Promise.all([
    readSessionTotals(db, query),
    ofDay
      .select(['s.project_id', 's.version', 'h.hour'])
      .select((of) => of.fn.sum<number>('h.session_count').as('session_count'))
      .where(isOneOf(query))
      .groupBy(['s.project_id', 's.version', 'h.hour'])
      .execute(),
    ofDay
      .select('s.project_id')
      .select((of) => of.fn.sum<number>('h.session_count').as('session_count'))
      .where('s.project_id', 'in', projectIds)
      .groupBy('s.project_id')
      .execute(),
  ])
  const hoursOf = Map.groupBy(hours, keyOf)
  const countOf = new Map(projects.map((row) => [row.project_id, row.session_count]))
  return new Map(
    [...totals].map(([key, { projectId, ...total }]) => {
      const counted = (hoursOf.get(key) ?? []).map((row) => [row.hour, row.session_count] as const)
      const hours24 = countPerStep(counted, steps)
      return [key, { ...total, hours24, projectSessionCount24h: countOf.get(projectId) ?? 0 }]
    }),
  )
}

interface SessionTotals extends CrashCounts {
  projectId: number
  /** Errored without a crash. */
  erroredCount: number
}

/** The sessions of releases since their first one. Releases without sessions are left out. One statement. */
export async function readSessionTotals(
  db: Db,
  query: SessionsQuery,
): Promise<Map<ReleaseKey, SessionTotals>> {
  const rows = await db
    .selectFrom('session_series as s')
    .select(['s.project_id', 's.version'])
    .select((of) => [
      of.fn.sum<number>('s.session_count').as('session_count'),
      sql<number>`sum(s.errored_count + s.unhandled_count + s.abnormal_count)`.as('errored_count'),
      of.fn.sum<number>('s.crashed_count').as('crashed_count'),
      of.fn.sum<number>('s.user_count').as('user_count'),
      of.fn.sum<number>('s.crashed_user_count').as('crashed_user_count'),
    ])
    .where(isOneOf(query))
    .$if(query.environment !== undefined, (select) =>
      select.where('s.environment', '=', query.environment ?? ''),
    )
    .groupBy(['s.project_id', 's.version'])
    .execute()
  return new Map(
    rows.map((row) => [
      keyOf(row),
      {
        projectId: row.project_id,
        sessionCount: row.session_count,
        erroredCount: row.errored_count,
        crashedCount: row.crashed_count,
        userCount: row.user_count,
        crashedUserCount: row.crashed_user_count,
      },
    ]),
  )
}

function isOneOf({ releases }: SessionsQuery) {
  const keys = releases.map(({ project, version }) => sql`(cast(${project.id} as bigint), ${version})`)
  return sql<boolean>`(s.project_id, s.version) in (values ${sql.join(keys)})`
}

/** The hours `h` of session series `s`, from an instant on. */
export function selectSessionHours(
  db: Db,
  { since, environment }: { since: number; environment?: string | undefined },
) {
  return db
    .selectFrom('session_series as s')
    .innerJoin('session_hours as h', (join) =>
      join.onRef('h.project_id', '=', 's.project_id').onRef('h.series_id', '=', 's.id'),
    )
    .where('s.last_session_at', '>=', since)
    .where('h.hour', '>=', since)
    .$if(environment !== undefined, (select) => select.where('s.environment', '=', environment ?? ''))
}
