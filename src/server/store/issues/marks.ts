import type { Db } from '#server/store/schema/database.ts'
import type { IssueMark } from './records.ts'

/** The progress marks of issues, by project. */
export type IssueMarks = ReadonlyMap<number, IssueMark>

/** The marks of all projects, or of the given ones. One statement, which reads no rows of issues. */
export async function listIssueMarks(db: Db, projectIds?: readonly number[]): Promise<IssueMarks> {
  let select = db.selectFrom('projects').select(['id', 'last_issue_number', 'reopened_count'])
  if (projectIds !== undefined) select = select.where('id', 'in', projectIds)
  const rows = await select.execute()
  return new Map(
    rows.map(({ id, last_issue_number, reopened_count }) => [
      id,
      { lastNumber: last_issue_number, reopenedCount: reopened_count },
    ]),
  )
}
