import { sql, type RawBuilder } from 'kysely'
import { fromIdBytes } from '#server/store/binary-id.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { IssueKey } from './records.ts'

/** Which events to count. */
export interface IssueCountQuery {
  /** Inclusive; `until` is exclusive. Unix milliseconds at the start of an hour. */
  since: number
  until: number
  /** Only events of these environments; empty for all. */
  environments: readonly string[]
}

/** Event counts of issues by id, in no particular order. Under load up to a second late. One statement. */
export async function countIssueEvents(
  db: Db,
  issues: readonly IssueKey[],
  query: IssueCountQuery,
): Promise<Map<number, number>> {
  if (issues.length === 0) return new Map()
  const keys = issues.map((issue) => toKeyRow(issue))
  const { rows } = await sql<{ id: number; event_count: number }>`
    select h.issue_id as id, sum(h.event_count) as event_count
    from (values ${sql.join(keys)}) as k
      join issue_hours h on h.project_id = k.column1 and h.issue_id = k.column2
    where ${isCounted(query)} group by h.issue_id`.execute(db)
  return new Map(rows.map((row) => [row.id, row.event_count]))
}

/** Events of a group of issues in a step of time. */
export interface GroupStep {
  /** Index of the group. */
  group: number
  /** The start of the step. Unix milliseconds. */
  startAt: number
  eventCount: number
}

/** The events of groups of issues in steps of hours. Under load up to a second late. One statement. */
export async function listGroupSteps(
  db: Db,
  groups: readonly (readonly IssueKey[])[],
  { stepMs, ...query }: IssueCountQuery & { stepMs: number },
): Promise<GroupStep[]> {
  const keys = groups.flatMap((issues, group) => issues.map((issue) => toKeyRow(issue, group)))
  if (keys.length === 0) return []
  const startAt = sql`h.hour - h.hour % ${sql.lit(stepMs)}`
  const { rows } = await sql<{ issue_group: number; start_at: number; event_count: number }>`
    select k.column3 as issue_group, ${startAt} as start_at, sum(h.event_count) as event_count
    from (values ${sql.join(keys)}) as k
      join issue_hours h on h.project_id = k.column1 and h.issue_id = k.column2
    where ${isCounted(query)} group by 1, 2`.execute(db)
  return rows.map((row) => ({
    group: row.issue_group,
    startAt: row.start_at,
    eventCount: row.event_count,
  }))
}

/** The latest stored event of issues, by their ids: 32 lower-case hex digits. One statement, by index. */
export async function findLatestEventIds(db: Db, issues: readonly IssueKey[]): Promise<Map<number, string>> {
  if (issues.length === 0) return new Map()
  const { rows } = await sql<{ id: number; event_id: Uint8Array | null }>`
    select k.column2 as id, (select e.event_id from events e
      where e.project_id = k.column1 and e.issue_id = k.column2
      order by e.occurred_at desc, e.event_id desc limit 1) as event_id
    from (values ${sql.join(issues.map((issue) => toKeyRow(issue)))}) as k`.execute(db)
  return new Map(rows.flatMap(({ id, event_id }) => (event_id ? [[id, fromIdBytes(event_id)]] : [])))
}

function toKeyRow({ projectId, issueId }: IssueKey, group?: number): RawBuilder<unknown> {
  const key = sql`cast(${projectId} as bigint), cast(${issueId} as bigint)`
  return group === undefined ? sql`(${key})` : sql`(${key}, cast(${group} as bigint))`
}

function isCounted({ since, until, environments }: IssueCountQuery): RawBuilder<boolean> {
  const isInTime = sql<boolean>`h.hour >= ${since} and h.hour < ${until}`
  return environments.length === 0
    ? isInTime
    : sql<boolean>`${isInTime} and h.environment in (${sql.join([...environments])})`
}
