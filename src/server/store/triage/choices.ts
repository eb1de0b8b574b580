import { sql, type InferResult } from 'kysely'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { hasAccessToOneOf } from '#server/store/accounts/access.ts'
import { perEngine } from '#server/store/engine/per-engine.ts'
import { formatShortId } from '#server/store/issues/id.ts'
import type { IssueKey, Person, PersonReference } from '#server/store/issues/records.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import { findLatestRelease } from '#server/store/releases/order.ts'
import { releaseDate } from '#server/store/releases/row.ts'
import type { Db } from '#server/store/schema/database.ts'
import { parseMentions } from './mentions.ts'
import { selectIdsWithParts } from './merged-issue.ts'
import type {
  ActivityChange,
  ActivityEntry,
  IssueChoices,
  IssuePart,
  IssueTriage,
  UndoneChange,
} from './records.ts'
import { conditionOf, stateChange } from './state.ts'

const assignees = prepareQuery((db, { projectIds }: { projectIds: readonly number[] }) =>
  db
    .selectFrom('projects as p')
    .innerJoin('memberships as m', 'm.organization_id', 'p.organization_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id as userId', 'u.name'])
    .distinct()
    .where('p.id', 'in', projectIds)
    .where(hasAccessToOneOf(sql`(p.id)`))
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(limits.assigneesShown),
)

/** The users with access to one of the projects, by name, at most `limits.assigneesShown`. One statement. */
export function listAssignees(db: Db, projectIds: readonly number[]): Promise<Person[]> {
  return projectIds.length === 0 ? Promise.resolve([]) : assignees(db, { projectIds })
}

const newestReleases = prepareQuery((db, { projectId }: { projectId: number }) =>
  db
    .selectFrom('releases as r')
    .select('r.version')
    .where('r.project_id', '=', projectId)
    .orderBy(releaseDate, 'desc')
    .limit(limits.releasesOffered),
)

/** The possible assignees and releases for an issue of the project. */
export async function readIssueChoices(db: Db, projectId: number): Promise<IssueChoices> {
  const [people, newest, latest] = await Promise.all([
    listAssignees(db, [projectId]),
    newestReleases(db, { projectId }),
    findLatestRelease(db, projectId),
  ])
  const versions = newest.map(({ version }) => version)
  return { people, releases: [...new Set(latest === undefined ? versions : [latest.version, ...versions])] }
}

/** The activity of an issue, and its possible actions. */
export async function readIssueTriage(db: Db, key: IssueKey, projectSlug: string): Promise<IssueTriage> {
  const [choices, activity, parts] = await Promise.all([
    readIssueChoices(db, key.projectId),
    latestActivity(db, { projectId: key.projectId, issueId: key.issueId }),
    listParts(db, key, projectSlug),
  ])
  return {
    ...choices,
    activity: toEntries(activity, key),
    activityVersion: toVersion(activity),
    parts,
  }
}

/** The latest activity of an issue and of those that were merged into it, oldest first. One statement. */
export async function listIssueActivity(db: Db, { projectId, issueId }: IssueKey): Promise<ActivityEntry[]> {
  return toEntries(await latestActivity(db, { projectId, issueId }), { issueId })
}

/** The id of the user whom an activity `a` assigned the issue to. */
const newAssigneeId = perEngine<string>({
  sqlite: sql`json_extract(a.detail, '$.after.assigneeId')`,
  // PostgreSQL's JSON functions reject the whole text if any field contains an escaped U+0000. Quotes inside
  // a value are escaped, so the pattern matches only the field.
  postgres: sql`substring(a.detail from '"after":.*"assigneeId":"([^"]*)"')`,
})

/** The latest activity of an issue, including the issues that were merged into it. */
function selectActivity(db: Db, key: IssueKey) {
  return db
    .selectFrom('issue_activity as a')
    .leftJoin('users as u', 'u.id', 'a.user_id')
    .leftJoin('users as assignee', (join) => join.on('assignee.id', '=', newAssigneeId))
    .select(['a.id', 'a.at', 'a.kind', 'a.detail', 'a.user_id', 'a.edited_at'])
    .select(['u.name', 'assignee.name as assignee_name'])
    .where('a.project_id', '=', key.projectId)
    .where('a.issue_id', 'in', selectIdsWithParts(db, key))
    .orderBy('a.id', 'desc')
    .limit(limits.activityShown)
}

const latestActivity = prepareQuery(selectActivity)

const latestActivityIds = prepareQuery((db, key: IssueKey) =>
  db
    .selectFrom('issue_activity as a')
    .select(['a.id', 'a.edited_at'])
    .where('a.project_id', '=', key.projectId)
    .where('a.issue_id', 'in', selectIdsWithParts(db, key))
    .orderBy('a.id', 'desc')
    .limit(limits.activityShown),
)

/** `IssueTriage.activityVersion` of an issue. One statement. */
export async function findActivityVersion(db: Db, { projectId, issueId }: IssueKey): Promise<string> {
  return toVersion(await latestActivityIds(db, { projectId, issueId }))
}

/** The order of the ids: an entry older than the newest ones only appears when another one is deleted. */
function toVersion(rows: readonly { id: string; edited_at: number | null }[]): string {
  const editedAt = Math.max(0, ...rows.map((row) => row.edited_at ?? 0))
  return [rows.length, rows[0]?.id, rows.at(-1)?.id, editedAt].join(' ')
}

const latestParts = prepareQuery((db, { projectId, issueId }: IssueKey) =>
  db
    .selectFrom('issue_parts')
    .select(['id', 'number', 'title', 'subtitle', 'event_count as eventCount', 'last_seen_at as lastSeenAt'])
    .where('project_id', '=', projectId)
    .where('issue_id', '=', issueId)
    .orderBy('last_seen_at', 'desc')
    .limit(limits.partsShown),
)

async function listParts(
  db: Db,
  { projectId, issueId }: IssueKey,
  projectSlug: string,
): Promise<IssuePart[]> {
  const parts = await latestParts(db, { projectId, issueId })
  return parts.map(({ id, number, ...texts }) =>
    Object.assign(texts, {
      id: String(id),
      shortId: formatShortId(projectSlug, Math.abs(number)),
      isOwn: id < 0,
    }),
  )
}

type EntryRow = InferResult<ReturnType<typeof selectActivity>>[number]

const activityDetail = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))

/**
 * Oldest first, without entries that this version does not know. The entry "merged this into" of an issue
 * that was merged into this one is omitted: this one has "merged" at the same time.
 */
function toEntries(rows: readonly EntryRow[], { issueId }: Pick<IssueKey, 'issueId'>): ActivityEntry[] {
  return rows
    .toReversed()
    .flatMap((row) => toEntry(row) ?? [])
    .filter((entry) => entry.kind !== 'merged_into' || entry.issue.issueId !== String(issueId))
}

/** Undefined for an entry that this version does not know. */
function toEntry(row: EntryRow): ActivityEntry | undefined {
  const change = toChange(row)
  if (change === undefined) return undefined
  const { id, at, user_id: userId, name } = row
  return {
    id,
    at,
    ...(userId !== null && { by: toPerson(userId, name) }),
    ...change,
  }
}

const linkName = v.object({ url: v.string(), name: v.string() })

const issueName = v.object({ issueId: v.string(), title: v.string(), shortId: v.optional(v.string(), '') })

function toChange(row: EntryRow): ActivityChange | undefined {
  const { kind, edited_at: editedAt, assignee_name: assigneeName } = row
  const detail = v.parse(activityDetail, row.detail)
  switch (kind) {
    case 'status':
      return toStatusEntry(detail)
    case 'assigned':
      return toAssignment(detail, assigneeName)
    case 'comment':
      return {
        kind,
        text: textOf(detail['text']) ?? '',
        mentions: parseMentions(row.detail).map(({ written }) => written),
        editedAt: editedAt ?? undefined,
      }
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
      return { kind, release }
    }
    case 'reopened': {
      const { success, output } = v.safeParse(
        v.picklist(['time', 'events', 'users', 'escalation']),
        detail['reason'],
      )
      return success ? { kind, reason: output } : undefined
    }
    case 'undone':
      return { kind, change: toUndoneChange(detail) }
    case 'linked':
    case 'unlinked':
    case 'link_closed':
    case 'link_reopened': {
      const { success, output } = v.safeParse(linkName, detail)
      return success ? { kind, link: output } : undefined
    }
    default:
      return undefined
  }
}

function toUndoneChange(detail: Record<string, unknown>): UndoneChange | undefined {
  if (detail['merge'] === true) return 'merge'
  if (detail['unmerge'] === true) return 'unmerge'
  const { success, output } = v.safeParse(stateChange, detail)
  if (!success) return undefined
  return output.before.assigneeId === output.after.assigneeId ? 'status' : 'assignment'
}

function toStatusEntry(detail: Record<string, unknown>): ActivityChange | undefined {
  const { success, output } = v.safeParse(stateChange, detail)
  if (!success) return undefined
  const { status } = output.after
  const reopenCondition = conditionOf(output.after)
  const commit = v.safeParse(fixCommit, detail['commit'])
  return {
    kind: 'status',
    status,
    reopenCondition: reopenCondition ?? undefined,
    commit: commit.success ? commit.output : undefined,
    isRecovery: detail['isRecovery'] === true || undefined,
  }
}

const fixCommit = v.object({
  id: v.string(),
  repository: v.optional(v.string()),
  subject: v.string(),
  authorName: v.optional(v.string()),
})

function toAssignment(detail: Record<string, unknown>, name: string | null): ActivityChange | undefined {
  const { success, output } = v.safeParse(stateChange, detail)
  if (!success) return undefined
  const { assigneeId } = output.after
  return {
    kind: 'assigned',
    ...(assigneeId !== null && { assignee: toPerson(assigneeId, name) }),
    isAccessEnded: detail['isAccessEnded'] === true || undefined,
  }
}

function toPerson(userId: string, name: string | null): PersonReference {
  return { userId, name: name ?? undefined }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
