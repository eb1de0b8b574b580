import { sql } from 'kysely'
import { alertTransitions } from '#alerts/transition.ts'
import { limits } from '#server/limits.ts'
import { formatShortId } from '#server/store/issues/id.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { parseNotice } from './queue.ts'
import type { InboxItem } from './records.ts'

/** A user's inbox, limited to projects that the user has access to. */
export interface InboxScope {
  userId: string
  projectIds: readonly number[]
}

/** The newest items, at most `limits.inboxItemsShown`, without those of deleted issues. One statement. */
export async function listInbox(
  db: Db,
  { userId, projectIds, isUnreadOnly }: InboxScope & { isUnreadOnly: boolean },
): Promise<InboxItem[]> {
  if (projectIds.length === 0) return []
  const rows = await db
    .selectFrom('inbox_items as n')
    .leftJoin('issue_parts as part', (join) =>
      join.onRef('part.project_id', '=', 'n.project_id').onRef('part.id', '=', 'n.issue_id'),
    )
    .leftJoin('issues as i', (join) =>
      join
        .onRef('i.project_id', '=', 'n.project_id')
        .on('i.id', '=', sql<number>`coalesce(part.issue_id, n.issue_id)`),
    )
    .innerJoin('projects as p', 'p.id', 'n.project_id')
    .select(['n.project_id', 'n.issue_id', 'n.id', 'n.kind', 'n.at', 'n.read_at', 'n.notice'])
    .select(['p.slug', 'p.name'])
    .select(['i.id as current_id', 'i.title', 'i.subtitle', 'i.number', 'i.level'])
    .where('n.user_id', '=', userId)
    .where('n.project_id', 'in', projectIds)
    .where((is) => is.or([is('i.id', 'is not', null), is('n.notice', 'is not', null)]))
    .$if(isUnreadOnly, (query) => query.where('n.read_at', 'is', null))
    .orderBy('n.id', 'desc')
    .limit(limits.inboxItemsShown)
    .execute()
  return rows.flatMap((row): InboxItem[] => {
    const transition = alertTransitions.find((kind) => kind === row.kind)
    // A newer version has written it.
    if (transition === undefined) return []
    const item: InboxItem = {
      key: `${row.project_id}:${row.issue_id}:${row.id}`,
      transition,
      at: row.at,
      isRead: row.read_at !== null,
      notice: parseNotice(row.notice),
      issue: toInboxIssue(row),
      project: { slug: row.slug, name: row.name },
    }
    return [item]
  })
}

interface InboxIssueRow {
  current_id: number | null
  title: string | null
  subtitle: string | null
  number: number | null
  level: string | null
  slug: string
}

/** Undefined for an item about the project. */
function toInboxIssue({ current_id: id, slug, ...row }: InboxIssueRow): InboxItem['issue'] {
  if (id === null) return undefined
  const { title, subtitle, level, number } = row
  return {
    id: String(id),
    title: title ?? '',
    subtitle: subtitle ?? '',
    shortId: formatShortId(slug, number ?? 0),
    level: level ?? '',
  }
}

/** The unread items of an inbox, up to `limits.inboxUnreadCounted`. */
export interface UnreadItems {
  count: number
  /** The issues of the items; for a merged issue, the issue it was merged into. */
  issueIds: string[]
}

const unreadItems = prepareQuery((db, { userId, projectIds }: InboxScope) =>
  db
    .selectFrom('inbox_items as n')
    .leftJoin('issue_parts as part', (join) =>
      join.onRef('part.project_id', '=', 'n.project_id').onRef('part.id', '=', 'n.issue_id'),
    )
    .select(sql<number>`coalesce(part.issue_id, n.issue_id)`.as('current_id'))
    .where('n.user_id', '=', userId)
    .where('n.read_at', 'is', null)
    .where('n.project_id', 'in', projectIds)
    .orderBy('n.id', 'desc')
    .limit(limits.inboxUnreadCounted),
)

/** Counts the unread items, newest first. One statement. */
export async function countUnread(db: Db, { userId, projectIds }: InboxScope): Promise<UnreadItems> {
  if (projectIds.length === 0) return { count: 0, issueIds: [] }
  const rows = await unreadItems(db, { userId, projectIds })
  return { count: rows.length, issueIds: [...new Set(rows.map((row) => String(row.current_id)))] }
}

/** Marks a user's items about an issue as read. One statement. */
export async function recordIssueRead(
  store: Store,
  { userId, issueId }: { userId: string; issueId: number },
): Promise<void> {
  const merged = store.db.selectFrom('issue_parts').select('id').where('issue_id', '=', issueId)
  await store.writer
    .updateTable('inbox_items')
    .set({ read_at: store.clock() })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where((is) => is.or([is('issue_id', '=', issueId), is('issue_id', 'in', merged)]))
    .execute()
}

/** Marks an item as read or unread, or, without a key, every item of the user. Unknown keys are ignored. */
export async function recordInboxRead(
  store: Store,
  { userId, key, isRead }: { userId: string; key?: string; isRead: boolean },
): Promise<void> {
  const update = store.writer
    .updateTable('inbox_items')
    .set({ read_at: isRead ? store.clock() : null })
    .where('user_id', '=', userId)
    .where('read_at', isRead ? 'is' : 'is not', null)
  if (key === undefined) return void (await update.execute())
  const [, projectId, issueId, id] = /^(\d{1,16}):(\d{1,16}):([0-9a-z-]{1,40})$/.exec(key) ?? []
  if (id === undefined) return
  await update
    .where('project_id', '=', Number(projectId))
    .where('issue_id', '=', Number(issueId))
    .where('id', '=', id)
    .execute()
}
