import { sql } from 'kysely'
import * as v from 'valibot'
import type { CrashCounts } from './views.ts'

/** The sessions and users of releases, all or in one environment; `r` are releases. */
export function crashColumn(environment: string | undefined) {
  const inEnvironment = environment === undefined ? sql`` : sql`AND s.environment = ${environment}`
  return sql<string>`(SELECT json_array(coalesce(sum(s.session_count), 0), coalesce(sum(s.crashed_count), 0),
      coalesce(sum(s.user_count), 0), coalesce(sum(s.crashed_user_count), 0))
    FROM session_series s WHERE s.project_id = r.project_id AND s.version = r.version ${inEnvironment})`.as(
    'crashes',
  )
}

const StoredCrashes = v.tuple([v.number(), v.number(), v.number(), v.number()])

/** The counts of a row that has `crashColumn`; undefined for a release without sessions. */
export function parseCrashes({ crashes }: { crashes: string }): CrashCounts | undefined {
  const [sessionCount, crashedCount, userCount, crashedUserCount] = v.parse(
    StoredCrashes,
    JSON.parse(crashes),
  )
  return sessionCount === 0 ? undefined : { sessionCount, crashedCount, userCount, crashedUserCount }
}
