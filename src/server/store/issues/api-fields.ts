import { sql } from 'kysely'
import type { Db } from '#server/store/schema/database.ts'
import { isUnhandled } from './labels.ts'
import type { IssueSummary } from './records.ts'

/** Fields of an issue for API clients that the stream does not show. */
export interface IssueExtras {
  commentCount: number
  /** One of its events was not caught by the application. Under load up to a second late. */
  isUnhandled: boolean
  logger?: string
  assigneeEmail?: string
}

/** The extra fields of issues, by id. One statement, by index. */
export async function readIssueExtras(
  db: Db,
  issues: readonly Pick<IssueSummary, 'id' | 'project'>[],
): Promise<Map<string, IssueExtras>> {
  if (issues.length === 0) return new Map()
  const keys = issues.map(
    ({ id, project }) => sql`(cast(${project.id} as bigint), cast(${Number(id)} as bigint))`,
  )
  const rows = await db
    .selectFrom('issues as i')
    .select(['i.id', 'i.logger'])
    .select([
      sql<number>`(SELECT count(*) FROM issue_activity a
        WHERE a.project_id = i.project_id AND a.kind = 'comment' AND a.issue_id IN (
          SELECT q.id FROM issue_parts q WHERE q.project_id = i.project_id AND q.issue_id = i.id
          UNION ALL SELECT i.id))`.as('comment_count'),
      isUnhandled.as('is_unhandled'),
      sql<string | null>`(SELECT u.email FROM users u WHERE u.id = i.assignee_id)`.as('assignee_email'),
    ])
    .where(sql<boolean>`(i.project_id, i.id) IN (VALUES ${sql.join(keys)})`)
    .execute()
  return new Map(
    rows.map((row) => [
      String(row.id),
      {
        commentCount: row.comment_count,
        isUnhandled: row.is_unhandled === 1,
        logger: row.logger ?? undefined,
        assigneeEmail: row.assignee_email ?? undefined,
      },
    ]),
  )
}
