import { sql, type Selection } from 'kysely'
import { eventTypes, levels, type EventType, type Level } from '#protocol/event.ts'
import { toProjectName } from '#server/store/projects/projects.ts'
import type { Database } from '#server/store/schema/database.ts'
import { parseReopenCondition } from '#server/store/triage/reopen-condition.ts'
import { formatShortId } from './id.ts'
import { issueStatuses, type IssueStatus, type IssueSummary } from './records.ts'

/** The columns of an issue and its project for an `IssueSummary`; `i` is `issues`, `p` is `projects`. */
export const issueColumns = [
  'i.project_id',
  'i.id as issue_id',
  'i.number',
  'i.type',
  'i.title',
  'i.subtitle',
  'i.culprit',
  'i.level',
  'i.platform as issue_platform',
  'i.status',
  'i.status_changed_at',
  'i.is_regressed',
  'i.reopen_condition',
  'i.assignee_id',
  sql<string | null>`(select name from users where users.id = i.assignee_id)`.as('assignee_name'),
  'i.first_seen_at',
  'i.last_seen_at',
  'i.event_count',
  'i.expired_event_count',
  'i.user_count',
  'i.first_release',
  'i.last_release',
  'p.slug as project_slug',
  'p.name as project_name',
  'p.platform as project_platform',
] as const

/** A row of `issueColumns`. */
export type IssueColumns = Selection<
  { i: Database['issues']; p: Database['projects'] },
  'i' | 'p',
  (typeof issueColumns)[number]
>

/** The issue of a row, as screens show it. */
export function toIssueSummary(row: IssueColumns): IssueSummary {
  const reopenCondition = parseReopenCondition(row.reopen_condition)
  return {
    id: String(row.issue_id),
    shortId: formatShortId(row.project_slug, row.number),
    project: toRowProject(row),
    type: toEventType(row.type),
    title: row.title,
    subtitle: row.subtitle,
    culprit: row.culprit,
    level: toLevel(row.level),
    platform: row.issue_platform,
    status: toIssueStatus(row.status),
    statusChangedAt: row.status_changed_at ?? undefined,
    ...(row.is_regressed === 1 && { isRegressed: true }),
    reopenCondition,
    ...(row.assignee_id !== null && {
      assignee: { userId: row.assignee_id, name: row.assignee_name ?? undefined },
    }),
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    eventCount: row.event_count,
    keptEventCount: row.event_count - row.expired_event_count,
    userCount: row.user_count,
    firstRelease: row.first_release ?? undefined,
    lastRelease: row.last_release ?? undefined,
  }
}

/** The project in a row of `issueColumns`, or in its columns of the project alone. */
export function toRowProject(
  row: Pick<IssueColumns, 'project_id' | 'project_slug' | 'project_name' | 'project_platform'>,
) {
  return toProjectName({
    id: row.project_id,
    slug: row.project_slug,
    name: row.project_name,
    platform: row.project_platform,
  })
}

/** A level from the database; `error` for one that this version does not know. */
export function toLevel(text: string): Level {
  return levels.find((level) => level === text) ?? 'error'
}

/** A status from the database; `unresolved` for one that this version does not know. */
export function toIssueStatus(text: string): IssueStatus {
  return issueStatuses.find((status) => status === text) ?? 'unresolved'
}

/** A type from the database; `default` for one that this version does not know. */
export function toEventType(text: string): EventType {
  return eventTypes.find((type) => type === text) ?? 'default'
}
