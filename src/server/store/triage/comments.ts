import { queueTransitionText, toQueueValues } from '#server/store/alerts/queue.ts'
import { toQuery } from '#server/store/engine/per-engine.ts'
import type { WriterTransaction } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { startAction, writeActivity } from './activity.ts'
import type { Actor } from './activity.ts'
import { selectIssues } from './changed-issues.ts'
import type { SelectedIssue } from './changed-issues.ts'

/** The issue of a comment, and the projects in which the user may comment. */
export interface CommentedIssue {
  issueId: number
  projectIds: readonly number[]
}

/** Adds a comment to an issue's activity. Returns false if there is no such issue. */
export function recordComment(
  store: Store,
  place: CommentedIssue,
  { text, ...actor }: Actor & { text: string },
): Promise<boolean> {
  return inIssue(store, place, async (tx, { projectId, issueId }) => {
    await writeActivity(tx, startAction(actor), { projectId, issueId, kind: 'comment', detail: { text } })
    await toQuery(
      queueTransitionText,
      toQueueValues({ projectId, issueId, kind: 'comment', at: actor.at, cause: { by: actor.userId } }),
    ).execute(tx)
    return true
  })
}

/** Changes the user's own comment, or deletes it without a text. Returns false if there is none. */
export function recordCommentChange(
  store: Store,
  place: CommentedIssue,
  { commentId, text, userId, at }: Actor & { commentId: string; text?: string },
): Promise<boolean> {
  return inIssue(store, place, async (tx, { projectId }) => {
    const own = {
      project_id: projectId,
      issue_id: place.issueId,
      id: commentId,
      user_id: userId,
      kind: 'comment',
    }
    const changed =
      text === undefined
        ? await tx
            .deleteFrom('issue_activity')
            .where((is) => is.and(own))
            .executeTakeFirst()
        : await tx
            .updateTable('issue_activity')
            .set({ detail: JSON.stringify({ text }), edited_at: at })
            .where((is) => is.and(own))
            .executeTakeFirst()
    return ('numDeletedRows' in changed ? changed.numDeletedRows : changed.numUpdatedRows) > 0n
  })
}

function inIssue(
  store: Store,
  { issueId, projectIds }: CommentedIssue,
  change: (tx: WriterTransaction, issue: SelectedIssue) => Promise<boolean>,
): Promise<boolean> {
  return store.writer.transaction().execute(async (tx) => {
    const [issue] = await selectIssues(tx, { issueIds: [issueId], projectIds })
    return issue !== undefined && change(tx, issue)
  })
}
