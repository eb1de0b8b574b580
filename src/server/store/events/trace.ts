import { sql } from 'kysely'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { toLevel } from '#server/store/issues/row.ts'
import { toProjectName } from '#server/store/projects/projects.ts'
import type { EventReference } from './records.ts'

/**
 * A column with the other events of the trace of event `e` as JSON, in any of the projects: at most
 * `limits.traceEventsRead` of them are looked at, and the earliest of those shown.
 */
export function selectTraceEvents(projectIds: readonly number[]) {
  return sql<string>`(
    select json_group_array(json_object('eventId', lower(hex(event_id)), 'issueId', issue_id, 'occurredAt', occurred_at,
      'level', level, 'title', title, 'subtitle', subtitle, 'id', project_id, 'slug', slug, 'name', name, 'platform', platform)) from (
      select t.event_id, ti.id as issue_id, t.occurred_at, t.level, ti.title, ti.subtitle, tp.id as project_id, tp.slug, tp.name, tp.platform
      from (select x.* from projects xp cross join events x
          where xp.id in (${sql.join(projectIds)}) and x.project_id = xp.id and x.trace_id = e.trace_id
            and x.event_id <> e.event_id
          limit ${limits.traceEventsRead}) t
        join issues ti on ti.project_id = t.project_id and ti.id = coalesce(
          (select m.issue_id from issue_parts m where m.project_id = t.project_id and m.id = t.issue_id), t.issue_id)
        join projects tp on tp.id = t.project_id
      order by t.occurred_at, t.event_id limit ${limits.traceEventsShown}))`
}

/** A row with what `selectTraceEvents` selects. */
export interface TraceRow {
  trace_text: string
}

const traceEvents = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(
    v.object({
      eventId: v.string(),
      issueId: v.number(),
      occurredAt: v.number(),
      level: v.string(),
      title: v.string(),
      subtitle: v.string(),
      id: v.number(),
      slug: v.string(),
      name: v.string(),
      platform: v.nullable(v.string()),
    }),
  ),
)

/** The events out of their row. */
export function toTraceEvents({ trace_text: json }: TraceRow): EventReference[] {
  return v
    .parse(traceEvents, json)
    .map(({ eventId, issueId, occurredAt, level, title, subtitle, ...project }) => ({
      eventId,
      issueId: String(issueId),
      project: toProjectName(project),
      title,
      subtitle,
      level: toLevel(level),
      occurredAt,
    }))
}
