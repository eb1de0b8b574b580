import type { Db } from '#server/store/schema/database.ts'

/** Any issue of the project; undefined without one. One statement. */
export async function findAnyIssue(
  db: Db,
  projectId: number,
): Promise<{ issueId: string; title: string; subtitle: string } | undefined> {
  const row = await db
    .selectFrom('issues')
    .select(['id', 'title', 'subtitle'])
    .where('project_id', '=', projectId)
    .limit(1)
    .executeTakeFirst()
  return row && { issueId: String(row.id), title: row.title, subtitle: row.subtitle }
}
