import { limits } from '#server/limits.ts'
import type { Store } from '#server/store/store.ts'
import { createActivityId } from './activity.ts'

/**
 * Brings the archived issues back whose time has come, in one transaction, a page of them at a time. Answers
 * how many.
 */
export async function recordArchiveEnds(store: Store, now: number): Promise<number> {
  const due = store.db
    .selectFrom('issues')
    .select(['project_id', 'id'])
    .where('archived_until_at', '<=', now)
    .where('status', '=', 'archived')
    .limit(limits.archiveEndsAtOnce)
  // Most looks find nothing, and reading holds nobody up.
  if ((await due.execute()).length === 0) return 0
  return store.writer.transaction().execute(async (tx) => {
    const issues = await tx.executeQuery(due.compile()).then(({ rows }) => rows)
    for (const { project_id: projectId, id: issueId } of issues) {
      await tx
        .updateTable('issues')
        .set({ status: 'unresolved', status_changed_at: now, terms: null, archived_until_at: null })
        .where('project_id', '=', projectId)
        .where('id', '=', issueId)
        .execute()
      await tx
        .updateTable('projects')
        .set((of) => ({ reopened_count: of('reopened_count', '+', 1) }))
        .where('id', '=', projectId)
        .execute()
      const id = createActivityId(now)
      await tx
        .insertInto('issue_activity')
        .values({
          project_id: projectId,
          issue_id: issueId,
          id,
          action_id: id,
          at: now,
          user_id: null,
          kind: 'returned',
          detail: JSON.stringify({ reason: 'time' }),
          edited_at: null,
        })
        .execute()
    }
    return issues.length
  })
}
