import { sql, type Kysely } from 'kysely'
import * as v from 'valibot'
import type { Database } from '#server/store/schema/database.ts'
import { countPerStep, firstOf24Hours, last24Hours, stepsUntil } from '#time/time-steps.ts'
import type { ReleaseHealth } from './views.ts'

/** Whose health is asked for. */
export interface HealthQuery {
  releases: readonly { version: string; project: { id: number } }[]
  /** Only sessions in it. */
  environment?: string
  /** Unix milliseconds. */
  now: number
}

/** Names a release of a project. */
type ReleaseKey = `${number} ${string}`

/** The key of a release in what `readReleaseHealth` returns. */
export function healthKey({ version, project }: HealthQuery['releases'][number]): ReleaseKey {
  return `${project.id} ${version}`
}

const HealthRow = v.object({
  kind: v.picklist(['release', 'hour', 'project']),
  project_id: v.number(),
  version: v.string(),
  hour: v.number(),
  sessions: v.number(),
  errored: v.number(),
  crashed: v.number(),
  users: v.number(),
  crashed_users: v.number(),
})
type HealthRow = v.InferOutput<typeof HealthRow>

/** How the sessions of releases went. Releases without any are left out. One statement, by index. */
export async function readReleaseHealth(
  db: Kysely<Database>,
  query: HealthQuery,
): Promise<Map<ReleaseKey, ReleaseHealth>> {
  if (query.releases.length === 0) return new Map()
  const rows = await selectHealth(query).execute(db)
  const parsed = rows.rows.map((row) => v.parse(HealthRow, row))
  const hours = Map.groupBy(ofKind(parsed, 'hour'), keyOf)
  const projects = new Map(ofKind(parsed, 'project').map((row) => [row.project_id, row.sessions]))
  const steps = stepsUntil(query.now, last24Hours)
  return new Map(
    ofKind(parsed, 'release').map((row) => {
      const counted = (hours.get(keyOf(row)) ?? []).map(({ hour, sessions }) => [hour, sessions] as const)
      return [keyOf(row), toHealth(row, countPerStep(counted, steps), projects.get(row.project_id) ?? 0)]
    }),
  )
}

function ofKind(rows: readonly HealthRow[], kind: HealthRow['kind']): HealthRow[] {
  return rows.filter((row) => row.kind === kind)
}

function keyOf({ project_id, version }: HealthRow): ReleaseKey {
  return healthKey({ version, project: { id: project_id } })
}

function toHealth(row: HealthRow, hours24: number[], projectSessionCount24h: number): ReleaseHealth {
  return {
    sessionCount: row.sessions,
    erroredCount: row.errored,
    crashedCount: row.crashed,
    userCount: row.users,
    crashedUserCount: row.crashed_users,
    hours24,
    projectSessionCount24h,
  }
}

/** Releases with all that was counted, their hours of a day, and all sessions of their projects in it. */
function selectHealth({ releases, environment, now }: HealthQuery) {
  const since = firstOf24Hours(now)
  const projectIds = [...new Set(releases.map(({ project }) => project.id))]
  const ofProjects = sql`s.project_id IN (${sql.join(projectIds)})`
  const inEnvironment = environment === undefined ? sql`` : sql`AND s.environment = ${environment}`
  const isAsked = sql`(s.project_id, s.version) IN (VALUES ${sql.join(
    releases.map(({ project, version }) => sql`(${project.id}, ${version})`),
  )})`
  const ofDay = sql`FROM session_series s
    JOIN session_hours h ON h.project_id = s.project_id AND h.series_id = s.id AND h.hour >= ${since}
    WHERE s.last_session_at >= ${since} ${inEnvironment}`
  return sql`
    SELECT 'release' AS kind, s.project_id, s.version, 0 AS hour, sum(s.session_count) AS sessions,
      sum(s.errored_count + s.unhandled_count + s.abnormal_count) AS errored, sum(s.crashed_count) AS crashed,
      sum(s.user_count) AS users, sum(s.crashed_user_count) AS crashed_users
    FROM session_series s WHERE ${isAsked} ${inEnvironment} GROUP BY s.project_id, s.version
    UNION ALL
    SELECT 'hour', s.project_id, s.version, h.hour, sum(h.session_count), 0, 0, 0, 0
    ${ofDay} AND ${isAsked} GROUP BY s.project_id, s.version, h.hour
    UNION ALL
    SELECT 'project', s.project_id, '', 0, sum(h.session_count), 0, 0, 0, 0
    ${ofDay} AND ${ofProjects} GROUP BY s.project_id`
}
