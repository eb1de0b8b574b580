import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import type { Database } from '#server/store/schema/database.ts'
import { selectTriage, toIssueTriage } from '#server/store/triage/overview.ts'
import type { IssueTriage } from '#server/store/triage/records.ts'
import { formatShortId } from './id.ts'
import type { IssueQuery } from './issues.ts'
import type { IssueSummary, IssueTrend, ReleaseMark, SimilarIssue } from './records.ts'
import { issueColumns, toIssueStatus, toIssueSummary } from './row.ts'
import { firstOfTrend, toTrend } from './trend.ts'

/** What the page of an issue shows of the issue itself. */
export interface IssueOverview {
  issue: IssueSummary
  trend: IssueTrend
  /**
   * The project's releases of the time that the trend shows, the newest `limits.releaseMarks`, oldest first.
   */
  releases: ReleaseMark[]
  similar: SimilarIssue[]
  triage: IssueTriage
}

/**
 * An issue, in whichever of the projects, with its trend, the releases in it, and issues that look like it.
 * One statement.
 *
 * A cross join keeps SQLite's planner from turning the order around: one seek per project instead of all
 * issues.
 */
export async function findIssueOverview(
  db: Kysely<Database>,
  { issueId, projectIds, now }: IssueQuery,
): Promise<IssueOverview | undefined> {
  const row = await db
    .selectFrom('projects as p')
    .crossJoin('issues as i')
    .select(issueColumns)
    .select([
      selectHours(firstOfTrend(now)).as('hours_text'),
      selectReleases(firstOfTrend(now)).as('releases_text'),
      selectSimilar.as('similar_text'),
      selectTriage.as('triage_text'),
    ])
    .where('p.id', 'in', projectIds)
    .whereRef('i.project_id', '=', 'p.id')
    .where('i.id', '=', issueId)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    issue: toIssueSummary(row),
    trend: toTrend(v.parse(pairs, row.hours_text), now),
    releases: v.parse(releaseMarks, row.releases_text).toReversed(),
    similar: v
      .parse(similarIssues, row.similar_text)
      .map((similar) => toSimilarIssue(similar, row.project_slug)),
    triage: toIssueTriage(row.triage_text, row.project_slug),
  }
}

const selectHours = (since: number) => sql<string>`(
  select json_group_array(json_array(hour, event_count)) from (
    select h.hour, sum(h.event_count) as event_count from issue_hours h
    where h.project_id = i.project_id and h.issue_id = i.id and h.hour >= ${since} group by h.hour))`

const selectReleases = (since: number) => sql<string>`(
  select json_group_array(json_object('version', version, 'at', at)) from (
    select r.version, coalesce(r.released_at, r.created_at) as at from releases r
    where r.project_id = i.project_id and coalesce(r.released_at, r.created_at) >= ${since}
    order by coalesce(r.released_at, r.created_at) desc limit ${limits.releaseMarks}))`

/**
 * Issues look alike when they are called the same and happen in the same place, or say the same in another
 * place. What their frames have in common is what they were grouped by: were it the same, they would be one
 * issue.
 */
const selectSimilar = sql<string>`(
  select json_group_array(json_object('id', id, 'number', number, 'title', title, 'subtitle', subtitle,
    'culprit', culprit, 'status', status, 'eventCount', event_count, 'lastSeenAt', last_seen_at)) from (
    select * from (
      select * from (select s.* from issues s where s.project_id = i.project_id and s.title = i.title
        and s.culprit = i.culprit and s.id <> i.id limit ${limits.similarIssuesRead})
      union all
      select * from (select s.* from issues s where s.project_id = i.project_id and s.title = i.title
        limit ${limits.similarIssuesRead}) where culprit <> i.culprit and subtitle = i.subtitle)
    order by (culprit = i.culprit) + (subtitle = i.subtitle) desc, last_seen_at desc limit ${limits.similarIssuesShown}))`

const pairs = v.pipe(v.string(), v.parseJson(), v.array(v.tuple([v.number(), v.number()])))

const releaseMarks = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ version: v.string(), at: v.number() })),
)

const similarIssues = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(
    v.object({
      id: v.number(),
      number: v.number(),
      title: v.string(),
      subtitle: v.string(),
      culprit: v.string(),
      status: v.string(),
      eventCount: v.number(),
      lastSeenAt: v.number(),
    }),
  ),
)

function toSimilarIssue(
  found: v.InferOutput<typeof similarIssues>[number],
  projectSlug: string,
): SimilarIssue {
  const { id, number, status, ...texts } = found
  return {
    ...texts,
    id: String(id),
    shortId: formatShortId(projectSlug, number),
    status: toIssueStatus(status),
  }
}
