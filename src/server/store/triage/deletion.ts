import { changeWithEvents } from '#server/store/events/moves.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { startAction, type Actor } from './activity.ts'
import { selectIssues, toActionResult, type ActionResult, type IssueSelection } from './changed-issues.ts'
import { discardedIssueId } from './discarded-hashes.ts'
import { createPartStatements, type PartStatements } from './part-statements.ts'

/**
 * Deletes issues in one transaction: they and their events disappear immediately, and retention frees the
 * disk space. With `discards`, new events of their hashes are dropped; otherwise the next one opens a new
 * issue.
 */
export function recordDeletion(
  store: Store,
  selection: IssueSelection,
  { discards, ...actor }: Actor & { discards: boolean },
): Promise<ActionResult> {
  const action = startAction(actor)
  const remove = async (tx: Tx) => {
    const found = await selectIssues(tx, selection)
    const statements = createPartStatements(store)
    for (const { projectId, issueId } of found) {
      const issue = { projectId, issueId, ...actor }
      if (discards) discardHashes(statements, issue)
      deleteIssue(statements, issue)
    }
    return toActionResult(action, selection, found)
  }
  return changeWithEvents(store, () => store.writer.transaction().execute(remove))
}

interface DeletedIssue extends Actor {
  projectId: number
  issueId: number
}

/** Stores each hash with the title of the part it belongs to. */
function discardHashes({ run }: PartStatements, { projectId, issueId, userId, at }: DeletedIssue): void {
  run`INSERT INTO discarded_hashes (project_id, hash, title, subtitle, discarded_at, user_id)
    SELECT h.project_id, h.hash, coalesce(p.title, i.title), coalesce(p.subtitle, i.subtitle), ${at}, ${userId}
    FROM issue_hashes h
    JOIN issues i ON i.project_id = h.project_id AND i.id = h.issue_id
    LEFT JOIN issue_parts p ON p.project_id = h.project_id AND p.id = h.part_id
    WHERE h.project_id = ${projectId} AND h.issue_id = ${issueId}
    ON CONFLICT (project_id, hash) DO NOTHING`
  run`UPDATE issue_hashes SET issue_id = ${discardedIssueId}, part_id = NULL
    WHERE project_id = ${projectId} AND issue_id = ${issueId}`
}

/** Reserves the ids until retention has deleted the counters with them. */
function deleteIssue({ run }: PartStatements, { projectId, issueId, at }: DeletedIssue): void {
  run`INSERT INTO expired_issues (project_id, issue_id, expired_at)
    SELECT project_id, id, ${at} FROM issue_parts WHERE project_id = ${projectId} AND issue_id = ${issueId}
    ON CONFLICT (project_id, issue_id) DO NOTHING`
  run`INSERT INTO expired_issues (project_id, issue_id, expired_at, has_events)
    VALUES (${projectId}, ${issueId}, ${at}, 1)
    ON CONFLICT (project_id, issue_id) DO UPDATE SET has_events = 1`
  // Unread items are counted without a look at their issues. Retention deletes the other rows of the issue.
  run`DELETE FROM inbox_items WHERE project_id = ${projectId} AND issue_id IN (
    SELECT id FROM issues WHERE project_id = ${projectId} AND id = ${issueId} UNION ALL
    SELECT id FROM issue_parts WHERE project_id = ${projectId} AND issue_id = ${issueId})`
  run`DELETE FROM issue_hashes WHERE project_id = ${projectId} AND issue_id = ${issueId}`
  run`DELETE FROM issue_parts WHERE project_id = ${projectId} AND issue_id = ${issueId}`
  run`DELETE FROM issues WHERE project_id = ${projectId} AND id = ${issueId}`
}
