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

/** The highest number of an issue in each of the projects, by the project's slug. One statement. */
export async function listLastIssueNumbers(
  db: Db,
  projectIds: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('projects')
    .select(['slug', 'last_issue_number'])
    .where('id', 'in', projectIds)
    .execute()
  return new Map(rows.map(({ slug, last_issue_number }) => [slug, last_issue_number]))
}
