import { sql, type Kysely } from 'kysely'
import type { Database } from '#server/store/schema/database.ts'
import type { ReleaseCommit } from './records.ts'

/** The commits of a release, the latest first; at most `limit` where it is given. One statement. */
export async function listReleaseCommits(
  db: Kysely<Database>,
  { version, projectId, limit }: { version: string; projectId: number; limit?: number },
): Promise<ReleaseCommit[]> {
  const rows = await db
    .selectFrom('release_commits')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('version', '=', version)
    .orderBy('number')
    .$if(limit !== undefined, (select) => select.limit(limit ?? 0))
    .execute()
  return rows.map(toCommit)
}

/** What is known of the commits of a release: how many there are, and the latest. */
export interface CommitHead {
  count: number
  last: ReleaseCommit
}

/**
 * The heads of the commits of releases, by version; of a version in several projects those of one. One
 * statement, by index.
 */
export async function readCommitHeads(
  db: Kysely<Database>,
  releases: readonly { version: string; project_id: number }[],
): Promise<Map<string, CommitHead>> {
  if (releases.length === 0) return new Map()
  const places = releases.map(({ project_id: id, version }) => sql`(cast(${id} as bigint), ${version})`)
  const rows = await db
    .selectFrom('release_commits as c')
    .selectAll()
    .select((is) =>
      is
        .selectFrom('release_commits as all')
        .select((of) => of.fn.countAll<number>().as('n'))
        .whereRef('all.project_id', '=', 'c.project_id')
        .whereRef('all.version', '=', 'c.version')
        .as('commit_count'),
    )
    .where('c.number', '=', 1)
    .where(sql<boolean>`(c.project_id, c.version) IN (VALUES ${sql.join(places)})`)
    .execute()
  return new Map(rows.map((row) => [row.version, { count: row.commit_count ?? 1, last: toCommit(row) }]))
}

function toCommit(
  row: Omit<Database['release_commits'], 'project_id' | 'version' | 'number'>,
): ReleaseCommit {
  return {
    id: row.id,
    repository: row.repository ?? undefined,
    message: row.message ?? undefined,
    authorName: row.author_name ?? undefined,
    authorEmail: row.author_email ?? undefined,
    committedAt: row.committed_at ?? undefined,
  }
}
