import { sql, type ExpressionBuilder } from 'kysely'
import { limits } from '#server/limits.ts'
import { containsPieces } from '#server/store/engine/per-engine.ts'
import { toProjectName } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { Db } from '#server/store/schema/database.ts'
import { selectIssueOfShortId, type ShortId } from '#server/store/triage/merged-issue.ts'
import { issueStatuses, type IssueSummary, type NamedMonitor } from './records.ts'
import { issueColumns, toIssueSummary } from './row.ts'

export interface NameQuery {
  /** Projects that the reader has access to. */
  projectIds: readonly number[]
  /** Words that a name must contain, case-insensitively. An empty list matches every name. */
  words: readonly string[]
  /** Maximum number of results. */
  limit: number
}

/**
 * The issues whose title, subtitle or culprit contain the words, last seen first. One statement, which scans
 * only the `limits.paletteIssuesRead` last seen issues of each status.
 */
export async function listIssuesByName(db: Db, query: NameQuery): Promise<IssueSummary[]> {
  const [first, ...rest] = issueStatuses.map((status) =>
    db
      .selectFrom(
        db
          .selectFrom('issues')
          .selectAll()
          .where('status', '=', status)
          .where('project_id', 'in', query.projectIds)
          .orderBy('last_seen_at', 'desc')
          .limit(limits.paletteIssuesRead)
          .as(status),
      )
      .selectAll(),
  )
  if (first === undefined) return []
  const recent = rest.reduce((union, each) => union.unionAll(each), first)
  const rows = await db
    .selectFrom(recent.as('i'))
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select(issueColumns)
    .where((is) => is.and(query.words.map((word) => holds(is, ['i.title', 'i.subtitle', 'i.culprit'], word))))
    .orderBy('i.last_seen_at', 'desc')
    .limit(query.limit)
    .execute()
  return rows.map(toIssueSummary)
}

/** The issue with a project's slug and an issue number, or the issue it was merged into. One statement. */
export async function findIssueByNumber(
  db: Db,
  { projectIds, ...shortId }: ShortId & { projectIds: readonly number[] },
): Promise<IssueSummary | undefined> {
  const row = await db
    .selectFrom('issues as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select(issueColumns)
    .where('p.id', 'in', projectIds)
    .where('i.id', '=', sql<number>`${selectIssueOfShortId(shortId, projectIds)}`)
    .executeTakeFirst()
  return row && toIssueSummary(row)
}

/** The projects whose name or slug contain the words, by name. One statement. */
export async function listProjectsByName(
  db: Db,
  { projectIds, words, limit }: NameQuery,
): Promise<ProjectName[]> {
  const rows = await db
    .selectFrom('projects as p')
    .select(['p.id', 'p.slug', 'p.name', 'p.platform'])
    .where('p.id', 'in', projectIds)
    .where((is) => is.and(words.map((word) => holds(is, ['p.name', 'p.slug'], word))))
    .orderBy('p.name')
    .orderBy('p.id')
    .limit(limit)
    .execute()
  return rows.map(toProjectName)
}

/** The monitors whose name or slug contain the words, by name. One statement. */
export async function listMonitorsByName(
  db: Db,
  { projectIds, words, limit }: NameQuery,
): Promise<NamedMonitor[]> {
  const rows = await db
    .selectFrom('monitors as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .select(['m.slug', 'm.name', 'p.slug as project_slug', 'p.name as project_name'])
    .where('m.project_id', 'in', projectIds)
    .where((is) => is.and(words.map((word) => holds(is, ['m.name', 'm.slug'], word))))
    .orderBy('m.name')
    .orderBy('m.id')
    .limit(limit)
    .execute()
  return rows.map(({ slug, name, project_slug, project_name }) => ({
    slug,
    name,
    projectSlug: project_slug,
    projectName: project_name,
  }))
}

type TextColumn = 'i.title' | 'i.subtitle' | 'i.culprit' | 'p.name' | 'p.slug' | 'm.name' | 'm.slug'

/** True if one of the columns contains the word. */
function holds<DB, TB extends keyof DB>(
  is: ExpressionBuilder<DB, TB>,
  columns: readonly TextColumn[],
  word: string,
) {
  return is.or(columns.map((column) => containsPieces(sql.ref(column), [word])))
}
