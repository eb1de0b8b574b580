import { sql } from 'kysely'
import * as v from 'valibot'
import { hasAccessToOneOf } from '#server/store/accounts/access.ts'
import type { PersonReference } from '#server/store/issues/records.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import type { Database, Db } from '#server/store/schema/database.ts'
import type { ReleaseCommit } from './records.ts'

/** The commits of a release, latest first, at most `limit`. One statement. */
export async function listReleaseCommits(
  db: Db,
  { version, projectId, limit }: { version: string; projectId: number; limit?: number },
): Promise<ReleaseCommit[]> {
  const rows = await db
    .selectFrom('release_commits')
    .select(commitColumns)
    .where('project_id', '=', projectId)
    .where('version', '=', version)
    .orderBy('number')
    .$if(limit !== undefined, (select) => select.limit(limit ?? 0))
    .execute()
  return rows.map(toCommit)
}

/** The number of a release's commits, and the latest one. */
export interface CommitHead {
  count: number
  last: ReleaseCommit
}

/**
 * The number and latest commit of releases, by version; of a version in several projects, those of one
 * project. One statement, by index.
 */
export async function readCommitHeads(
  db: Db,
  releases: readonly { version: string; project_id: number }[],
): Promise<Map<string, CommitHead>> {
  if (releases.length === 0) return new Map()
  const keys = releases.map(({ project_id: id, version }) => sql`(cast(${id} as bigint), ${version})`)
  const rows = await db
    .selectFrom('release_commits as c')
    .select(['c.version', ...commitColumns])
    .select((is) =>
      is
        .selectFrom('release_commits as all')
        .select((of) => of.fn.countAll<number>().as('n'))
        .whereRef('all.project_id', '=', 'c.project_id')
        .whereRef('all.version', '=', 'c.version')
        .as('commit_count'),
    )
    .where('c.number', '=', 1)
    .where(sql<boolean>`(c.project_id, c.version) IN (VALUES ${sql.join(keys)})`)
    .execute()
  return new Map(rows.map((row) => [row.version, { count: row.commit_count ?? 1, last: toCommit(row) }]))
}

/** Without the files, which can be thousands of paths. */
const commitColumns = ['id', 'repository', 'message', 'author_name', 'author_email', 'committed_at'] as const

function toCommit(row: Pick<Database['release_commits'], (typeof commitColumns)[number]>): ReleaseCommit {
  return {
    id: row.id,
    repository: row.repository ?? undefined,
    message: row.message ?? undefined,
    authorName: row.author_name ?? undefined,
    authorEmail: row.author_email ?? undefined,
    committedAt: row.committed_at ?? undefined,
  }
}

/** A commit of a release that may have caused an issue. */
export interface SuspectCandidate extends ReleaseCommit {
  files: string[]
  /** The user with the author's email address, if they have access to the project. */
  author?: PersonReference
}

const paths = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

const suspectCandidates = prepareQuery((db, { version, projectId }: { version: string; projectId: number }) =>
  db
    .selectFrom('release_commits as c')
    .leftJoin('users as u', (join) =>
      join.on(sql<boolean>`u.email = lower(c.author_email)`).on(sql<boolean>`u.id in (select m.user_id
        from projects p join memberships m on m.organization_id = p.organization_id
        where p.id = ${projectId} and ${hasAccessToOneOf(sql`(p.id)`)})`),
    )
    .select(commitColumns.map((name) => `c.${name}` as const))
    .select(['c.files', 'u.id as user_id', 'u.name as user_name'])
    .where('c.project_id', '=', projectId)
    .where('c.version', '=', version)
    .where('c.files', 'is not', null)
    .orderBy('c.number'),
)

/** The commits of a release with known files, latest first. One statement. */
export async function listSuspectCandidates(
  db: Db,
  { version, projectId }: { version: string | undefined; projectId: number },
): Promise<SuspectCandidate[]> {
  if (version === undefined) return []
  const rows = await suspectCandidates(db, { version, projectId })
  return rows.map((row) => {
    const { success, output } = v.safeParse(paths, row.files)
    const author =
      row.user_id === null ? undefined : { userId: row.user_id, name: row.user_name ?? undefined }
    return Object.assign(toCommit(row), { files: success ? output : [], author })
  })
}
