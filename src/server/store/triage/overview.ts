import { sql } from 'kysely'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { hasAccessToOneOf } from '#server/store/accounts/access.ts'
import { formatShortId } from '#server/store/issues/id.ts'
import type { PersonReference } from '#server/store/issues/records.ts'
import type { ActivityChange, ActivityEntry, IssueChoices, IssueTriage } from './records.ts'
import { conditionOf, stateChange } from './state.ts'

const selectPeople = sql<string>`(select json_group_array(json_object('userId', id, 'name', name)) from (
    select u.id, u.name from memberships m join users u on u.id = m.user_id
    where m.organization_id = p.organization_id and ${hasAccessToOneOf(sql`(p.id)`)}
    order by u.name, u.id limit ${sql.lit(limits.assigneesShown)}))`

const selectReleases = sql<string>`(select json_group_array(version) from (
    select r.version from releases r where r.project_id = p.id
    order by coalesce(r.released_at, r.created_at) desc limit ${sql.lit(limits.releasesOffered)}))`

/**
 * What an issue can be given to and resolved in, as one JSON text: `p` is its project. Part of the statement
 * that reads the issue.
 */
export const selectChoices = sql<string>`json_object('people', ${selectPeople}, 'releases', ${selectReleases})`

/**
 * What the page of an issue shows of what people do with it, as one JSON text: `i` is the issue, `p` its
 * project. Part of the statement that reads the issue.
 */
export const selectTriage = sql<string>`json_object(
  'activity', (select json_group_array(json_object('id', id, 'at', at, 'kind', kind, 'detail', json(detail),
      'userId', user_id, 'name', name, 'editedAt', edited_at, 'assigneeName', assignee_name)) from (
    select a.id, a.at, a.kind, a.detail, a.user_id, a.edited_at,
      (select u.name from users u where u.id = a.user_id) as name,
      (select u.name from users u where u.id = json_extract(a.detail, '$.after.assigneeId')) as assignee_name
    from issue_activity a where a.project_id = i.project_id and (a.issue_id = i.id or a.issue_id in (
      select q.id from issue_parts q where q.project_id = i.project_id and q.issue_id = i.id))
    order by a.id desc limit ${sql.lit(limits.activityShown)})),
  'people', ${selectPeople},
  'parts', (select json_group_array(json_object('id', id, 'number', number, 'title', title, 'subtitle', subtitle,
      'eventCount', event_count, 'lastSeenAt', last_seen_at)) from (
    select * from issue_parts q where q.project_id = i.project_id and q.issue_id = i.id order by q.last_seen_at desc
    limit ${sql.lit(limits.partsShown)})),
  'releases', ${selectReleases})`

const entryRow = v.object({
  id: v.string(),
  at: v.number(),
  kind: v.string(),
  detail: v.record(v.string(), v.unknown()),
  userId: v.nullable(v.string()),
  name: v.nullable(v.string()),
  editedAt: v.nullable(v.number()),
  assigneeName: v.nullable(v.string()),
})

const people = v.array(v.object({ userId: v.string(), name: v.string() }))

const choices = v.pipe(v.string(), v.parseJson(), v.object({ people, releases: v.array(v.string()) }))

/** Reads what `selectChoices` selected. */
export function toIssueChoices(text: string): IssueChoices {
  return v.parse(choices, text)
}

const triage = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    activity: v.array(entryRow),
    people,
    parts: v.array(
      v.object({
        id: v.number(),
        number: v.number(),
        title: v.string(),
        subtitle: v.string(),
        eventCount: v.number(),
        lastSeenAt: v.number(),
      }),
    ),
    releases: v.array(v.string()),
  }),
)

/** Reads what `selectTriage` selected. */
export function toIssueTriage(text: string, projectSlug: string): IssueTriage {
  const { activity, parts, ...offered } = v.parse(triage, text)
  return {
    activity: activity
      .toReversed()
      .map(toEntry)
      .filter((entry) => entry !== undefined),
    ...offered,
    parts: parts.map(({ id, number, title, subtitle, eventCount, lastSeenAt }) => ({
      id: String(id),
      shortId: formatShortId(projectSlug, Math.abs(number)),
      title,
      subtitle,
      eventCount,
      lastSeenAt,
      isOwn: id < 0,
    })),
  }
}

type EntryRow = v.InferOutput<typeof entryRow>

/** Undefined for what another version of this program wrote. */
function toEntry(row: EntryRow): ActivityEntry | undefined {
  const change = toChange(row)
  if (change === undefined) return undefined
  const { id, at, userId, name } = row
  return {
    id,
    at,
    ...(userId !== null && { by: toPerson(userId, name) }),
    ...change,
  }
}

const issueName = v.object({ issueId: v.string(), title: v.string(), shortId: v.optional(v.string(), '') })

function toChange({ kind, detail, editedAt, assigneeName }: EntryRow): ActivityChange | undefined {
  switch (kind) {
    case 'status':
      return toStatusEntry(detail)
    case 'assigned':
      return toAssignment(detail, assigneeName)
    case 'comment':
      return { kind, text: textOf(detail['text']) ?? '', ...(editedAt !== null && { editedAt }) }
    case 'merged':
    case 'unmerged':
      return { kind, issues: v.parse(v.fallback(v.array(issueName), []), detail['issues']) }
    case 'merged_into':
    case 'unmerged_from': {
      const { success, output } = v.safeParse(issueName, detail[kind === 'merged_into' ? 'into' : 'from'])
      return success ? { kind, issue: output } : undefined
    }
    case 'regressed': {
      const release = textOf(detail['release'])
      return { kind, ...(release !== undefined && { release }) }
    }
    case 'reopened': {
      const { success, output } = v.safeParse(
        v.picklist(['time', 'events', 'users', 'escalation']),
        detail['reason'],
      )
      return success ? { kind, reason: output } : undefined
    }
    case 'undone':
      return { kind }
    default:
      return undefined
  }
}

function toStatusEntry(detail: Record<string, unknown>): ActivityChange | undefined {
  const { success, output } = v.safeParse(stateChange, detail)
  if (!success) return undefined
  const { status } = output.after
  const reopenCondition = conditionOf(output.after)
  return { kind: 'status', status, ...(reopenCondition !== null && { reopenCondition }) }
}

function toAssignment(detail: Record<string, unknown>, name: string | null): ActivityChange | undefined {
  const { success, output } = v.safeParse(stateChange, detail)
  if (!success) return undefined
  const { assigneeId } = output.after
  return {
    kind: 'assigned',
    ...(assigneeId !== null && { assignee: toPerson(assigneeId, name) }),
  }
}

function toPerson(userId: string, name: string | null): PersonReference {
  return { userId, ...(name !== null && { name }) }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
