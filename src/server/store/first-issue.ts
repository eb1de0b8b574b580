import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** Those of the projects that have got an event. One statement. */
export async function listProjectsWithIssues(
  db: Kysely<Database>,
  projectIds: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('projects as p')
    .select('p.id')
    .where('p.id', 'in', projectIds)
    .where((is) =>
      is.exists(is.selectFrom('issues as i').select('i.id').whereRef('i.project_id', '=', 'p.id')),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** An issue of the project, where it has one. One statement. */
export async function findAnyIssue(
  db: Kysely<Database>,
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
