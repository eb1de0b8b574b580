import { sql } from 'kysely'
import { parseKeySettings } from '#server/store/projects/settings.ts'
import type { Db } from '#server/store/schema/database.ts'

/** The progress of an imported project. Times are Unix milliseconds. */
export interface ImportedProjectState {
  projectId: number
  slug: string
  /** Absent for a project that 0.2.0 imported, until it is imported again. */
  importedAt?: number
  /** When an imported key was first used here. */
  firstUsedAt?: number
  /** Number of imported issues; zero after the import of a backup. */
  issueCount: number
  /** Number of issues whose counts differed in the last comparison. */
  differentCount: number
  /** When its issues were last compared. */
  comparedAt?: number
}

/** The imported projects among these, by slug. Two statements. */
export async function listImportedProjects(
  db: Db,
  projectIds: readonly number[],
): Promise<ImportedProjectState[]> {
  if (projectIds.length === 0) return []
  const keys = await db
    .selectFrom('project_keys as k')
    .innerJoin('projects as p', 'p.id', 'k.project_id')
    .select(['p.id', 'p.slug', 'k.settings'])
    .where('p.id', 'in', projectIds)
    .orderBy('p.slug')
    .execute()
  const comparisons = await listComparisons(db, projectIds)
  return [...Map.groupBy(keys, ({ id }) => id)].flatMap(([projectId, rows]) => {
    const settings = rows.map((row) => parseKeySettings(row.settings))
    const importedAt = earliest(settings.map((key) => key.importedAt))
    const compared = comparisons.get(projectId)
    if (importedAt === undefined && compared === undefined) return []
    const firstUsedAt = earliest(settings.map((key) => key.firstUsedAt))
    const slug = rows[0]?.slug ?? ''
    return [{ projectId, slug, importedAt, firstUsedAt, ...(compared ?? nothingCompared) }]
  })
}

type ComparisonState = Pick<ImportedProjectState, 'issueCount' | 'differentCount' | 'comparedAt'>

const nothingCompared: ComparisonState = { issueCount: 0, differentCount: 0 }

/** By project. Several issues of the other tracker that are one issue here count once. */
async function listComparisons(db: Db, projectIds: readonly number[]): Promise<Map<number, ComparisonState>> {
  const issues = db
    .selectFrom('imported_issues as m')
    .innerJoin('issue_hashes as h', (join) =>
      join.onRef('h.project_id', '=', 'm.project_id').onRef('h.hash', '=', 'm.hash'),
    )
    .select(['m.project_id', 'h.issue_id'])
    .select((of) => [
      sql<number>`CASE WHEN sum(m.source_count) = max(m.own_count) THEN 0 ELSE 1 END`.as('is_different'),
      of.fn.max<number>('m.compared_at').as('compared_at'),
    ])
    .where('m.project_id', 'in', projectIds)
    .groupBy(['m.project_id', 'h.issue_id'])
  const rows = await db
    .selectFrom(issues.as('c'))
    .select('c.project_id')
    .select((of) => [
      of.fn.countAll<number>().as('issue_count'),
      of.fn.sum<number>('c.is_different').as('different_count'),
      of.fn.max<number>('c.compared_at').as('compared_at'),
    ])
    .groupBy('c.project_id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.project_id,
      { issueCount: row.issue_count, differentCount: row.different_count, comparedAt: row.compared_at },
    ]),
  )
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
