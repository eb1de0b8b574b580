import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import { releaseDate } from '#server/store/releases/row.ts'
import type { Db } from '#server/store/schema/database.ts'
import { formatShortId } from './id.ts'
import type { IssueKey, IssueSummary, ReleaseMark, SimilarIssue } from './records.ts'
import { toIssueStatus } from './row.ts'

const releasesSince = prepareQuery((db, { projectId, since }: { projectId: number; since: number }) =>
  db
    .selectFrom('releases as r')
    .select(['r.version', releaseDate.as('at')])
    .where('r.project_id', '=', projectId)
    .where(releaseDate, '>=', since)
    .orderBy(releaseDate, 'desc')
    .limit(limits.releaseMarks),
)

/**
 * The project's releases from an instant on: the newest `limits.releaseMarks`, oldest first. One statement.
 */
export async function listReleaseMarks(db: Db, projectId: number, since: number): Promise<ReleaseMark[]> {
  const marks = await releasesSince(db, { projectId, since })
  return marks.toReversed()
}

type SimilarIssuesQuery = IssueKey & Pick<IssueSummary, 'title' | 'subtitle' | 'culprit'>

const similarIssues = prepareQuery(
  (db, { projectId, issueId, title, subtitle, culprit }: SimilarIssuesQuery) => {
    const withTitle = db
      .selectFrom('issues')
      .select(['id', 'number', 'title', 'subtitle', 'culprit', 'status', 'event_count', 'last_seen_at'])
      .where('project_id', '=', projectId)
      .where('title', '=', title)
      .limit(limits.similarIssuesRead)
    const withSameCulprit = withTitle.where('culprit', '=', culprit).where('id', '<>', issueId)
    const elsewhere = db
      .selectFrom(withTitle.as('with_title'))
      .selectAll()
      .where('culprit', '<>', culprit)
      .where('subtitle', '=', subtitle)
    const similar = db.selectFrom(withSameCulprit.as('with_same_culprit')).selectAll().unionAll(elsewhere)
    return db
      .selectFrom(similar.as('similar'))
      .selectAll()
      .orderBy(
        sql`case when culprit = ${culprit} then 1 else 0 end + case when subtitle = ${subtitle} then 1 else 0 end`,
        'desc',
      )
      .orderBy('last_seen_at', 'desc')
      .limit(limits.similarIssuesShown)
  },
)

/**
 * Similar issues: with the same title and culprit, or with the same message and another culprit. Their frames
 * differ, otherwise they would be one issue. One statement.
 */
export async function listSimilarIssues(
  db: Db,
  { projectId, issueId }: IssueKey,
  { title, subtitle, culprit, project }: Pick<IssueSummary, 'title' | 'subtitle' | 'culprit' | 'project'>,
): Promise<SimilarIssue[]> {
  const rows = await similarIssues(db, { projectId, issueId, title, subtitle, culprit })
  return rows.map((row) => ({
    id: String(row.id),
    shortId: formatShortId(project.slug, row.number),
    title: row.title,
    subtitle: row.subtitle,
    culprit: row.culprit,
    status: toIssueStatus(row.status),
    eventCount: row.event_count,
    lastSeenAt: row.last_seen_at,
  }))
}
