import { sql } from 'kysely'
import * as v from 'valibot'
import { endOfBuilds, hasNamedBuild, orderOfBuilds } from '#protocol/release-version.ts'
import { limits } from '#server/limits.ts'
import { perEngine, textOffset } from '#server/store/engine/per-engine.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import { issueColumns, toIssueSummary } from '#server/store/issues/row.ts'
import {
  createCursorCodec,
  cursorNumber,
  isBeyond,
  toKeysetPage,
  type Cursor,
  type CursorCodec,
} from '#server/store/keyset-page.ts'
import type { Db } from '#server/store/schema/database.ts'
import { healthKey, readSessionTotals } from './health.ts'
import type { PreviousRelease, ReleaseSort, ReleaseSummary } from './records.ts'
import { releaseDate, selectReleases, toReleaseSummary, type ReleaseRow } from './row.ts'

export interface ReleaseListQuery {
  /** Projects that the reader has access to, or some of them. Releases of other projects are not found. */
  projectIds: readonly number[]
  /** Only releases with an event in this environment. */
  environment?: string
  /** Only archived releases, or only others. */
  isArchived?: boolean
  /** Only versions that contain this text, case-insensitively. */
  text?: string
  sort: ReleaseSort
  /** From another page; a damaged cursor returns the first page. */
  cursor?: string
  /** Rows of a page. */
  limit: number
}

export interface ReleasePage {
  /** Newest first, or highest version first, followed by those without a version, newest first. */
  releases: ReleaseSummary[]
  nextCursor?: string
  previousCursor?: string
}

const releasePosition = v.object({
  versionOrder: v.string(),
  datedAt: cursorNumber,
  projectId: cursorNumber,
  version: v.string(),
})
type ReleasePosition = v.InferOutput<typeof releasePosition>

/** The cursors of releases in an order. */
export function releaseCursors(sort: ReleaseSort): CursorCodec<ReleasePosition> {
  return createCursorCodec(`releases-${sort}`, releasePosition)
}

/** A page of releases. One statement, by the index of the order. */
export async function listReleases(db: Db, query: ReleaseListQuery): Promise<ReleasePage> {
  const codec = releaseCursors(query.sort)
  const cursor = codec.parse(query.cursor)
  const read = await selectPage(db, query, cursor).execute()
  const { rows, ...cursors } = toKeysetPage(read, { cursor, codec, limit: query.limit, positionOf })
  return { releases: rows.map(toReleaseSummary), ...cursors }
}

function positionOf(row: ReleaseRow): ReleasePosition {
  return {
    versionOrder: row.version_order,
    datedAt: row.released_at ?? row.created_at,
    projectId: row.project_id,
    version: row.version,
  }
}

/** One row more than the page, in the direction of reading. Counts are computed for the rows of the page. */
function selectPage(db: Db, query: ReleaseListQuery, cursor?: Cursor<ReleasePosition>) {
  const direction = cursor?.side === 'before' ? 'asc' : 'desc'
  let select = selectReleases(db)
    // The unary plus keeps the planner from reading project by project: the order uses an index over all
    // projects.
    .where(
      sql<boolean>`${perEngine({ sqlite: sql`+r.project_id`, postgres: sql`r.project_id` })} in (${sql.join(query.projectIds)})`,
    )
  if (query.text !== undefined)
    select = select.where(textOffset(sql`lower(r.version)`, query.text.toLowerCase()), '>', 0)
  if (query.isArchived !== undefined) select = select.where('r.is_archived', '=', query.isArchived ? 1 : 0)
  if (query.environment !== undefined) {
    select = select.where(
      sql<boolean>`EXISTS (SELECT 1 FROM release_environments e
        WHERE e.project_id = r.project_id AND e.version = r.version AND e.environment = ${query.environment})`,
    )
  }
  if (cursor) select = select.where(isBeyondCursor(query.sort, cursor))
  if (query.sort === 'version') select = select.orderBy('r.version_order', direction)
  return select
    .orderBy(releaseDate, direction)
    .orderBy('r.project_id', direction)
    .orderBy('r.version', direction)
    .limit(query.limit + 1)
}

function isBeyondCursor(sort: ReleaseSort, { side, position }: Cursor<ReleasePosition>) {
  const { versionOrder, datedAt, projectId, version } = position
  const columns = [releaseDate, sql.ref('r.project_id'), sql.ref('r.version')]
  const values = [datedAt, projectId, version]
  return sort === 'version'
    ? isBeyond(side, [sql.ref('r.version_order'), ...columns], [versionOrder, ...values])
    : isBeyond(side, columns, values)
}

/** The releases with a name in any of the projects, latest event first. One statement, by index. */
export function findReleases(
  db: Db,
  { version, projectIds }: { version: string; projectIds: readonly number[] },
): Promise<ReleaseRow[]> {
  return findReleasesNamed(db, { versions: [version], projectIds })
}

/** The same for several names. One statement, by index. */
export function findReleasesNamed(
  db: Db,
  { versions, projectIds }: { versions: readonly string[]; projectIds: readonly number[] },
): Promise<ReleaseRow[]> {
  return selectReleases(db)
    .where('r.version', 'in', versions)
    .where('r.project_id', 'in', projectIds)
    .orderBy('r.last_seen_at', 'desc')
    .orderBy('r.project_id')
    .execute()
}

/** The fields that determine the preceding release. */
type ReleaseOrderKey = Pick<
  ReleaseRow,
  'project_id' | 'package' | 'version_order' | 'released_at' | 'created_at'
>

/** The release before it, with its sessions, which another statement reads. */
export async function findPreviousRelease(
  db: Db,
  release: ReleaseOrderKey,
  environment?: string,
): Promise<PreviousRelease | undefined> {
  const row = await findEarlier(release, (of) => selectEarlier(db, of))
  if (row === undefined) return undefined
  const previous = toReleaseSummary(row)
  const totals = await readSessionTotals(db, { releases: [previous], environment })
  const crashes = totals.get(healthKey(previous))
  return { ...previous, ...(crashes && { crashes }) }
}

/** The nearest release before it that has commits. At most two statements. */
export async function findPreviousWithCommits(
  db: Db,
  release: ReleaseOrderKey,
): Promise<ReleaseRow | undefined> {
  const hasCommits = sql<boolean>`EXISTS (SELECT 1 FROM release_commits c
    WHERE c.project_id = r.project_id AND c.version = r.version)`
  return findEarlier(release, (of) => selectEarlier(db, of).where(hasCommits))
}

/** The first of the releases before it. Of a lower version whose builds are not numbers, the last build. */
async function findEarlier(
  release: ReleaseOrderKey,
  select: (of: ReleaseOrderKey) => ReturnType<typeof selectEarlier>,
): Promise<ReleaseRow | undefined> {
  const row = await select(release).limit(1).executeTakeFirst()
  if (row === undefined || release.version_order === '' || !hasNamedBuild(row.version_order)) return row
  if (orderOfBuilds(row.version_order) === orderOfBuilds(release.version_order)) return row
  const lastBuild = { ...row, released_at: Number.MAX_SAFE_INTEGER }
  return (await select(lastBuild).limit(1).executeTakeFirst()) ?? row
}

/**
 * The releases before another one, nearest first: for a version, the lower ones of its package, after its
 * builds seen before if builds are not numbers; for others, those seen before it. In the order of an index,
 * except for a version whose build is not a number: its package's releases are sorted.
 */
function selectEarlier(
  db: Db,
  { project_id, package: ofPackage, version_order, released_at, created_at }: ReleaseOrderKey,
) {
  const select = selectReleases(db).where('r.project_id', '=', project_id)
  const datedAt = released_at ?? created_at
  if (version_order === '') return select.where(releaseDate, '<', datedAt).orderBy(releaseDate, 'desc')
  const versions = select.where('r.package', '=', ofPackage).where('r.version_order', '<>', '')
  if (!hasNamedBuild(version_order))
    return versions.where('r.version_order', '<', version_order).orderBy('r.version_order', 'desc')
  const builds = orderOfBuilds(version_order)
  const isLower = sql<boolean>`r.version_order < ${builds}`
  return versions
    .where(
      sql<boolean>`(${isLower} or (r.version_order < ${endOfBuilds(builds)} and ${releaseDate} < ${datedAt}))`,
    )
    .orderBy(sql`case when ${isLower} then 0 else ${releaseDate} end`, 'desc')
    .orderBy('r.version_order', 'desc')
}

/** The issues of a release: those first seen in it, and resolved issues that it has reopened. */
export async function listIssuesOfRelease(
  db: Db,
  { projectId, version }: { projectId: number; version: string },
): Promise<{ newIssues: IssueSummary[]; regressedIssues: IssueSummary[] }> {
  const list = (column: 'i.first_release' | 'i.regressed_release') =>
    db
      .selectFrom('issues as i')
      .innerJoin('projects as p', 'p.id', 'i.project_id')
      .select(issueColumns)
      .where(column, '=', version)
      .where('i.project_id', '=', projectId)
      .orderBy('i.last_seen_at', 'desc')
      .limit(limits.issuesPerRelease)
      .execute()
  const [newIssues, regressedIssues] = await Promise.all([
    list('i.first_release'),
    list('i.regressed_release'),
  ])
  return { newIssues: newIssues.map(toIssueSummary), regressedIssues: regressedIssues.map(toIssueSummary) }
}
