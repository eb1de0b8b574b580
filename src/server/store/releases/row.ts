import type { ExpressionBuilder } from 'kysely'
import { sql } from 'kysely'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { toRowProject } from '#server/store/issues/row.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { CommitView, DeployView, ReleaseSummary, ReleaseUpload } from './views.ts'

/** The date of a release, as the indexes have it; `r` are releases. */
export const releaseDate = sql<number>`coalesce(r.released_at, r.created_at)`

/**
 * The columns of a release and its project that make a `ReleaseSummary`; `r` are releases, `p` is projects.
 */
export const releaseColumns = [
  'r.version',
  'r.package',
  'r.version_order',
  'r.released_at',
  'r.created_at',
  'r.first_seen_at',
  'r.last_seen_at',
  'r.event_count',
  'r.url',
  'r.ref',
  'r.is_archived',
  'p.id as project_id',
  'p.slug as project_slug',
  'p.name as project_name',
  'p.platform as project_platform',
] as const

/** What is counted for a release, each by index. */
export function releaseCounts(is: ExpressionBuilder<Database & { r: Database['releases'] }, 'r'>) {
  const countIssues = (column: 'i.first_release' | 'i.regressed_release') =>
    is
      .selectFrom('issues as i')
      .select((of) => of.fn.countAll<number>().as('n'))
      .whereRef(column, '=', 'r.version')
      .whereRef('i.project_id', '=', 'r.project_id')
  return [
    countIssues('i.first_release').as('new_issue_count'),
    countIssues('i.regressed_release').as('regressed_issue_count'),
    sql<string>`(SELECT json_group_array(e.environment) FROM release_environments e
      WHERE e.project_id = r.project_id AND e.version = r.version)`.as('environments'),
    sql<string>`(SELECT json_group_array(json_array(d.id, d.environment, d.name, d.url, d.started_at, d.finished_at)
        ORDER BY d.finished_at DESC, d.id DESC)
      FROM deploys d WHERE d.project_id = r.project_id AND d.version = r.version)`.as('deploys'),
  ] as const
}

/** A row of `releaseColumns` and `releaseCounts`. */
export interface ReleaseRow {
  version: string
  package: string
  version_order: string
  released_at: number | null
  created_at: number
  first_seen_at: number
  last_seen_at: number
  event_count: number
  url: string | null
  ref: string | null
  is_archived: number
  project_id: number
  project_slug: string
  project_name: string
  project_platform: string | null
  new_issue_count: number | null
  regressed_issue_count: number | null
  environments: string
  deploys: string
}

/** What source maps were uploaded under the release's name; `r` are releases. */
export const releaseArtifacts = [
  sql<number>`(SELECT coalesce(sum(b.file_count), 0) FROM artifact_bundles b
    WHERE b.project_id = r.project_id AND b.release = r.version AND b.is_complete = 1)`.as('artifact_count'),
  sql<string>`(SELECT json_group_array(json_array(b.id, b.dist, b.uploaded_at, b.used_at, b.file_count, b.stored_bytes))
    FROM (SELECT * FROM artifact_bundles b
      WHERE b.project_id = r.project_id AND b.release = r.version AND b.is_complete = 1
      ORDER BY b.uploaded_at DESC, b.id LIMIT ${sql.lit(limits.releaseUploadsShown)}) b)`.as('uploads'),
] as const

/** What it was made of; `r` are releases. */
export const releaseCommits = [
  sql<number>`(SELECT count(*) FROM release_commits c
    WHERE c.project_id = r.project_id AND c.version = r.version)`.as('commit_count'),
  sql<string>`(SELECT json_group_array(json_array(c.id, c.message, c.author_name, c.committed_at))
    FROM (SELECT * FROM release_commits c WHERE c.project_id = r.project_id AND c.version = r.version
      ORDER BY c.number LIMIT ${sql.lit(limits.releaseCommitsShown)}) c)`.as('commits'),
] as const

/** The release as the screens see it. */
export function toReleaseSummary(row: ReleaseRow): ReleaseSummary {
  const [lastDeploy] = parseDeploys(row)
  return {
    version: row.version,
    project: toRowProject(row),
    datedAt: row.released_at ?? row.created_at,
    isFinalized: row.released_at !== null,
    ...(row.is_archived === 1 && { isArchived: true }),
    ...(row.event_count > 0 && { firstEventAt: row.first_seen_at, lastEventAt: row.last_seen_at }),
    eventCount: row.event_count,
    newIssueCount: row.new_issue_count ?? 0,
    regressedIssueCount: row.regressed_issue_count ?? 0,
    environments: v.parse(v.array(v.string()), JSON.parse(row.environments)),
    ...(lastDeploy && { lastDeploy }),
  }
}

const StoredUploads = v.array(
  v.tuple([v.number(), v.string(), v.number(), v.number(), v.number(), v.number()]),
)

const StoredCommits = v.array(
  v.tuple([v.string(), v.nullable(v.string()), v.nullable(v.string()), v.nullable(v.number())]),
)

/** The commits of a row that has `releaseCommits`, latest first; of each the first line of what it says. */
export function parseCommits({ commits }: { commits: string }): CommitView[] {
  return v
    .parse(StoredCommits, JSON.parse(commits))
    .map(([id, message, authorName, committedAt]) =>
      Object.assign(
        { id, subject: message?.split('\n', 1)[0] ?? '' },
        authorName !== null && { authorName },
        committedAt !== null && { committedAt },
      ),
    )
}

/** The uploads of a row that has `releaseArtifacts`, latest first. */
export function parseUploads({ uploads }: { uploads: string }): ReleaseUpload[] {
  return v
    .parse(StoredUploads, JSON.parse(uploads))
    .map(([id, dist, uploadedAt, usedAt, fileCount, storedBytes]) =>
      Object.assign(
        { id: String(id), uploadedAt, fileCount, storedBytes },
        dist !== '' && { dist },
        usedAt !== uploadedAt && { usedAt },
      ),
    )
}

const text = v.nullable(v.string())
const StoredDeploy = v.tuple([v.number(), v.string(), text, text, v.nullable(v.number()), v.number()])
const StoredDeploys = v.array(StoredDeploy)
type StoredDeploy = v.InferOutput<typeof StoredDeploy>

/** The deploys of a row, latest first. */
export function parseDeploys({ deploys }: ReleaseRow): DeployView[] {
  return v.parse(StoredDeploys, JSON.parse(deploys)).map(toDeploy)
}

function toDeploy([id, environment, name, url, startedAt, finishedAt]: StoredDeploy): DeployView {
  return {
    id,
    environment,
    ...(name !== null && { name }),
    ...(url !== null && { url }),
    ...(startedAt !== null && { startedAt }),
    finishedAt,
  }
}
