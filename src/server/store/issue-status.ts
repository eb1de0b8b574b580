import type { Transaction } from 'kysely'
import type { Store } from './database.ts'
import { toIssueStatus } from './issue-row.ts'
import type { Database } from './schema.ts'
import type { IssueStatus } from './views.ts'

/** A status that somebody sets, and when. */
export interface IssueStatusChange {
  issueId: number
  /** Those in which whoever asks may change issues: one of another is not found. */
  projectIds: readonly number[]
  status: IssueStatus
  /** Unix milliseconds: a later event of a resolved issue reopens it. */
  changedAt: number
}

/**
 * Sets the status of an issue and answers with the one it had before; undefined where there is no such issue. Setting
 * the status it has changes nothing, so that a form sent twice does not move the time.
 */
export function recordIssueStatus(
  store: Store,
  { issueId, projectIds, status, changedAt }: IssueStatusChange,
): Promise<IssueStatus | undefined> {
  return store.writer.transaction().execute(async (tx) => {
    const found = await findIssueStatus(tx, { issueId, projectIds })
    if (found === undefined || found.status === status) return found?.status
    await tx
      .updateTable('issues')
      .set({ status, status_changed_at: changedAt, is_regressed: 0 })
      .where('project_id', '=', found.projectId)
      .where('id', '=', issueId)
      .execute()
    return found.status
  })
}

/** A cross join for the reason given in `findIssue`: no index leads with the issue's id alone. */
async function findIssueStatus(
  tx: Transaction<Database>,
  { issueId, projectIds }: { issueId: number; projectIds: readonly number[] },
) {
  const row = await tx
    .selectFrom('projects as p')
    .crossJoin('issues as i')
    .select(['i.project_id', 'i.status'])
    .where('p.id', 'in', projectIds)
    .whereRef('i.project_id', '=', 'p.id')
    .where('i.id', '=', issueId)
    .executeTakeFirst()
  return row && { projectId: row.project_id, status: toIssueStatus(row.status) }
}
