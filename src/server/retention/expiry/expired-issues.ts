import { sql } from 'kysely'
import { issueRows } from '#server/retention/dependent-rows.ts'
import { prepareDeletion } from '#server/retention/row-deletion.ts'
import { blockIdsPerMs } from '#server/store/events/body-block.ts'
import type { ExpiryRun } from './run.ts'

/**
 * Deletes the counters of deleted issues, and then frees their ids. Skips issues with pending deltas, which
 * follow in the next run.
 */
export async function deleteRowsOfExpiredIssues(run: ExpiryRun): Promise<void> {
  const { db, connection } = run.store
  const expired = await db
    .selectFrom('expired_issues as x')
    .select(['x.project_id', 'x.issue_id'])
    .where('x.has_events', '=', 0)
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('counter_deltas as d')
            .select('d.id')
            .whereRef('d.project_id', '=', 'x.project_id')
            .where('d.id', '<', sql<number>`(x.expired_at + 1) * ${sql.lit(blockIdsPerMs)}`),
        ),
      ),
    )
    .execute()
  if (expired.length === 0) return
  const forget = connection.prepare('DELETE FROM expired_issues WHERE project_id = ? AND issue_id = ?')
  const steps = issueRows.map(({ table, key }) =>
    prepareDeletion(run, {
      table,
      key: ['issue_id', ...key],
      where: 'project_id = ? AND issue_id = ?',
      rowsPerStatement: 200,
    }),
  )
  const deleteNext = (issues: typeof expired) => {
    const issue = issues.at(-1)
    if (issue === undefined) return true
    const ids = [issue.project_id, issue.issue_id]
    if (!steps.every((step) => step(ids))) return false
    forget.run(...ids)
    issues.pop()
    return false
  }
  for (const [projectId, issues] of Map.groupBy(expired, (issue) => issue.project_id))
    await run.failures.attempt(projectId, () => run.pacer.repeat(() => deleteNext(issues)))
}
