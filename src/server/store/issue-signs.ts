import { sql, type RawBuilder } from 'kysely'
import { limits } from '#server/limits.ts'

/** What a row of the stream says of how bad an issue is. */
export interface IssueSigns {
  /** One of its events was not caught by the application. Under load known a second later. */
  isUnhandled?: true
  /** It left the archive because it happened much more often than before. */
  isEscalating?: true
  /** The environment with most of its events in the bars' span, counted over its newest hours. */
  environment?: string
  /** Environments that it has ever happened in. */
  environmentCount: number
}

/** A row of `selectSigns`. */
export interface SignsRow {
  is_unhandled: number
  is_escalating: number
  environment: string | null
  environment_count: number
}

/** True where the latest change of an issue's status was its return from the archive by escalation. */
export function isEscalating(table: 'issues' | 'i'): RawBuilder<boolean> {
  const issue = sql.raw(table)
  return sql<boolean>`exists (select 1 from issue_activity a where a.project_id = ${issue}.project_id and a.issue_id = ${issue}.id
    and a.kind = 'returned' and a.at = ${issue}.status_changed_at and a.detail like '%"escalation"%')`
}

/** True where an event of the issue `i` was not caught by the application. */
export const isUnhandled = sql<number>`exists (select 1 from issue_tags t
  where t.project_id = i.project_id and t.issue_id = i.id and t.key = 'handled' and t.value = 'no')`

/**
 * The signs of the issue `i`, with its events counted from a time on. Its hours are added up by environment only where it has several:
 * most issues have one.
 */
export function selectSigns(from: number) {
  const ofIssue = sql`from issue_environments v where v.project_id = i.project_id and v.issue_id = i.id`
  const newest = sql`(select h.environment, h.event_count from issue_hours h where h.project_id = i.project_id
    and h.issue_id = i.id and h.hour >= ${from} order by h.hour desc limit ${limits.environmentHours})`
  const mostFrequent = sql`(select environment from ${newest} group by environment
    order by sum(event_count) desc, environment limit 1)`
  const count = sql<number>`(select count(*) ${ofIssue})`
  return [
    isUnhandled.as('is_unhandled'),
    sql<number>`${isEscalating('i')}`.as('is_escalating'),
    sql<string | null>`coalesce(case when ${count} > 1 then ${mostFrequent} end,
      (select min(v.environment) ${ofIssue}))`.as('environment'),
    count.as('environment_count'),
  ] as const
}

/** The signs of a row. */
export function toSigns(row: SignsRow): IssueSigns {
  return {
    ...(row.is_unhandled === 1 && { isUnhandled: true }),
    ...(row.is_escalating === 1 && { isEscalating: true }),
    ...(row.environment !== null && row.environment !== '' && { environment: row.environment }),
    environmentCount: row.environment_count,
  }
}
