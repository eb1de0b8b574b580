import { sql, type InferResult } from 'kysely'
import { jsonRows } from '#server/store/engine/per-engine.ts'
import { toRowProject } from '#server/store/issues/row.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Deploy, ReleaseSummary } from './records.ts'

/** The date of a release, as in the indexes; `r` are releases. */
export const releaseDate = sql<number>`coalesce(r.released_at, r.created_at)`

/** Releases `r`, each with its project `p` and its counts, which are read by index. */
export function selectReleases(db: Db) {
  return db
    .selectFrom('releases as r')
    .innerJoin('projects as p', 'p.id', 'r.project_id')
    .select([
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
    ])
    .select((is) => {
      const countIssues = (column: 'i.first_release' | 'i.regressed_release') =>
        is
          .selectFrom('issues as i')
          .select((of) => of.fn.countAll<number>().as('n'))
          .whereRef(column, '=', 'r.version')
          .whereRef('i.project_id', '=', 'r.project_id')
      const environments = is
        .selectFrom('release_environments as e')
        .select('e.environment')
        .whereRef('e.project_id', '=', 'r.project_id')
        .whereRef('e.version', '=', 'r.version')
        .orderBy('e.environment')
      const deploys = is
        .selectFrom('deploys as d')
        .select(['d.id', 'd.environment', 'd.name', 'd.url', 'd.started_at', 'd.finished_at'])
        .whereRef('d.project_id', '=', 'r.project_id')
        .whereRef('d.version', '=', 'r.version')
        .orderBy('d.finished_at', 'desc')
        .orderBy('d.id', 'desc')
      return [
        countIssues('i.first_release').as('new_issue_count'),
        countIssues('i.regressed_release').as('regressed_issue_count'),
        jsonRows(environments).as('environments_json'),
        jsonRows(deploys).as('deploys_json'),
      ]
    })
}

/** A row of `selectReleases`. */
export type ReleaseRow = InferResult<ReturnType<typeof selectReleases>>[number]

/** The release of a row, as screens show it. */
export function toReleaseSummary(row: ReleaseRow): ReleaseSummary {
  const [lastDeploy] = toDeploys(row)
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
    environments: row.environments_json.map(({ environment }) => environment),
    ...(lastDeploy && { lastDeploy }),
  }
}

/** The deploys of a release, latest first. */
export function toDeploys({ deploys_json: deploys }: Pick<ReleaseRow, 'deploys_json'>): Deploy[] {
  return deploys.map(({ id, environment, name, url, started_at: startedAt, finished_at: finishedAt }) => ({
    id,
    environment,
    name: name ?? undefined,
    url: url ?? undefined,
    startedAt: startedAt ?? undefined,
    finishedAt,
  }))
}
