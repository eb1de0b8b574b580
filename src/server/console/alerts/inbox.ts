import * as v from 'valibot'
import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { actionForm, defineAction } from '#server/console/forms/action-form.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import { rawText } from '#server/forms/fields.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { countUnread, listInbox, recordInboxRead, recordIssueRead } from '#server/store/alerts/inbox.ts'
import type { InboxView } from './views.ts'

/** The newest items of the viewer's inbox. Two statements. */
export async function getInboxView(
  { store: { db }, clock }: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  { show }: { show?: 'all' | undefined },
): Promise<InboxView> {
  const scope = { userId: viewer.userId, projectIds: reachableProjects(viewer) }
  const [items, unread] = await Promise.all([
    listInbox(db, { ...scope, isUnreadOnly: show === undefined }),
    countUnread(db, scope),
  ])
  return {
    now: clock(),
    items,
    unreadCount: unread.count,
    isCountCut: unread.count >= limits.inboxUnreadCounted,
  }
}

const issueId = v.pipe(
  rawText,
  v.transform((text) => (/^\d{1,16}$/.test(text) ? Number(text) : undefined)),
)

/**
 * Marks items as read or unread: `read` and `unread` are keys of items; `issue` marks the items about an
 * issue as read, `all` every item.
 */
export const inboxForms = defineAction(actions.inbox, {
  mark: actionForm(
    v.object({ read: rawText, unread: rawText, all: rawText, issue: issueId }),
    async ({ services: { store }, viewer: { userId }, fields: { read, unread, all, issue } }) => {
      if (issue !== undefined) await recordIssueRead(store, { userId, issueId: issue })
      if (all !== '') await recordInboxRead(store, { userId, isRead: true })
      if (read !== '') await recordInboxRead(store, { userId, key: read, isRead: true })
      if (unread !== '') await recordInboxRead(store, { userId, key: unread, isRead: false })
      return { kind: 'done', text: unread === '' ? 'Marked as read.' : 'Marked as unread.' }
    },
  ),
})
