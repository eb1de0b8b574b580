import { queueTransitionText, toQueueValues, type QueuedTransition } from '#server/store/alerts/queue.ts'
import { toQuery } from '#server/store/engine/per-engine.ts'
import { listOwnerCandidates } from '#server/store/projects/ownership.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { startAction, writeActivity, type Actor } from './activity.ts'
import { selectIssues, type SelectedIssue } from './changed-issues.ts'
import { findMentions, parseMentions, type Mention } from './mentions.ts'
import { selectIdsWithParts } from './merged-issue.ts'

/** The issue of a comment, and the projects in which the user may comment. */
export interface CommentedIssue {
  issueId: number
  projectIds: readonly number[]
}

/**
 * Adds a comment to an issue's activity, and queues its alerts: one for participants, and one for mentioned
 * users. Returns false if there is no such issue.
 */
export function recordComment(
  store: Store,
  target: CommentedIssue,
  { text, ...actor }: Actor & { text: string },
): Promise<boolean> {
  return inIssue(store, target, async (tx, { projectId, issueId }) => {
    const mentions = await readMentions(tx, { projectId, text })
    const detail = { text, ...(mentions.length > 0 && { mentions }) }
    await writeActivity(tx, startAction(actor), { projectId, issueId, kind: 'comment', detail })
    const others = toIds(mentions).filter((id) => id !== actor.userId)
    const mentionedIds = others.length === 0 ? undefined : others
    const cause = { by: actor.userId, mentionedIds }
    await queue(tx, { projectId, issueId, kind: 'comment', at: actor.at, cause })
    if (mentionedIds !== undefined)
      await queue(tx, { projectId, issueId, kind: 'mention', at: actor.at, cause })
    return true
  })
}

/**
 * Edits the user's own comment, or deletes it if there is no text. Newly mentioned users are notified.
 * Returns false if there is no such comment.
 */
export function recordCommentChange(
  store: Store,
  target: CommentedIssue,
  { commentId, text, userId, at }: Actor & { commentId: string; text?: string },
): Promise<boolean> {
  return inIssue(store, target, async (tx, { projectId, issueId }) => {
    const own = { project_id: projectId, id: commentId, user_id: userId, kind: 'comment' }
    // The comment may be on an issue that was merged into this one.
    const issueIds = selectIdsWithParts(tx, { projectId, issueId })
    if (text === undefined) {
      const { numDeletedRows } = await tx
        .deleteFrom('issue_activity')
        .where((is) => is.and(own))
        .where('issue_id', 'in', issueIds)
        .executeTakeFirst()
      return numDeletedRows > 0n
    }
    const before = await tx
      .selectFrom('issue_activity')
      .select('detail')
      .where((is) => is.and(own))
      .where('issue_id', 'in', issueIds)
      .executeTakeFirst()
    if (before === undefined) return false
    const mentions = await readMentions(tx, { projectId, text })
    await tx
      .updateTable('issue_activity')
      .set({ detail: JSON.stringify({ text, ...(mentions.length > 0 && { mentions }) }), edited_at: at })
      .where((is) => is.and(own))
      .where('issue_id', 'in', issueIds)
      .execute()
    const known = new Set([userId, ...toIds(parseMentions(before.detail))])
    const mentionedIds = toIds(mentions).filter((id) => !known.has(id))
    if (mentionedIds.length > 0)
      await queue(tx, { projectId, issueId, kind: 'mention', at, cause: { by: userId, mentionedIds } })
    return true
  })
}

async function readMentions(
  tx: Tx,
  { projectId, text }: { projectId: number; text: string },
): Promise<Mention[]> {
  return text.includes('@') ? findMentions(text, await listOwnerCandidates(tx, projectId)) : []
}

function toIds(mentions: readonly Mention[]): string[] {
  return mentions.map(({ userId }) => userId)
}

async function queue(tx: Tx, transition: QueuedTransition): Promise<void> {
  await toQuery(queueTransitionText, toQueueValues(transition)).execute(tx)
}

function inIssue(
  store: Store,
  { issueId, projectIds }: CommentedIssue,
  change: (tx: Tx, issue: SelectedIssue) => Promise<boolean>,
): Promise<boolean> {
  return store.writer.transaction().execute(async (tx) => {
    const [issue] = await selectIssues(tx, { issueIds: [issueId], projectIds })
    return issue !== undefined && change(tx, issue)
  })
}
