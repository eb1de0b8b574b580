import { sql, type RawBuilder } from 'kysely'
import type { IssueKey } from '#server/store/issues/records.ts'
import type { Db } from '#server/store/schema/database.ts'

/**
 * The issue that another one was merged into, in any of the projects; undefined if it was not merged. One
 * statement.
 */
export async function findMergedInto(
  db: Db,
  { issueId, projectIds }: { issueId: number; projectIds: readonly number[] },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('issue_parts')
    .select('issue_id')
    .where('project_id', 'in', projectIds)
    .where('id', '=', issueId)
    .executeTakeFirst()
  return row?.issue_id
}

/**
 * Selects the ids of an issue and of the issues that were merged into it. One list: for an "or" of two
 * conditions, PostgreSQL reads the rows of every issue.
 */
export function selectIdsWithParts(db: Db, { projectId, issueId }: IssueKey) {
  return db
    .selectFrom('issue_parts as q')
    .select('q.id')
    .where('q.project_id', '=', projectId)
    .where('q.issue_id', '=', issueId)
    .unionAll(db.selectNoFrom(sql<number>`cast(${issueId} as bigint)`.as('id')))
}

/** The readable id of an issue: its project's slug, in lower case, and its number. */
export interface ShortId {
  slug: string
  number: number
}

/** SQL for the id of the issue with a short id, or of the issue it was merged into; null if there is none. */
export function selectIssueOfShortId(
  { slug, number }: ShortId,
  projectIds: readonly number[],
): RawBuilder<number | null> {
  const isMeant = sql`p.slug = ${slug} and p.id in (${sql.join(projectIds.length === 0 ? [-1] : [...projectIds])})
    and i.project_id = p.id and i.number = ${number}`
  return sql`(select i.id from projects p cross join issues i where ${isMeant}
    union all select i.issue_id from projects p cross join issue_parts i where ${isMeant} limit 1)`
}

/** The issue with a short id such as `CHECKOUT-1A`, or the issue it was merged into. One statement. */
export async function findIssueByShortId(
  db: Db,
  { projectIds, ...shortId }: ShortId & { projectIds: readonly number[] },
): Promise<number | undefined> {
  const { rows } = await sql<{
    id: number | null
  }>`select ${selectIssueOfShortId(shortId, projectIds)} as id`.execute(db)
  return rows[0]?.id ?? undefined
}
