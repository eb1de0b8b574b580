import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** The issue that another one was merged into, in any of the projects. One statement; undefined where it was not. */
export async function findMergedInto(
  db: Kysely<Database>,
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

/** The issue that a short id names, `CHECKOUT-1A`, also where it was merged into another one. One statement. */
export async function findIssueByShortId(
  db: Kysely<Database>,
  { shortId, projectIds }: { shortId: string; projectIds: readonly number[] },
): Promise<number | undefined> {
  const [, slug, digits] = /^(.+)-([0-9a-z]{1,9})$/i.exec(shortId) ?? []
  if (slug === undefined || digits === undefined) return undefined
  const number = Number.parseInt(digits, 36)
  const issues = db
    .selectFrom('projects as p')
    .innerJoin('issues as i', 'i.project_id', 'p.id')
    .select('i.id')
    .where('p.id', 'in', projectIds)
    .where('p.slug', '=', slug.toLowerCase())
    .where('i.number', '=', number)
  const parts = db
    .selectFrom('projects as p')
    .innerJoin('issue_parts as i', 'i.project_id', 'p.id')
    .select('i.issue_id as id')
    .where('p.id', 'in', projectIds)
    .where('p.slug', '=', slug.toLowerCase())
    .where('i.number', '=', number)
  const row = await issues.unionAll(parts).executeTakeFirst()
  return row?.id
}
