import type { Kysely } from 'kysely'
import { findLatestEvent } from '#server/store/events/events.ts'
import type { StoredEvent } from '#server/store/events/events.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { IssueQuery } from './issues.ts'
import { findIssueOverview } from './overview.ts'
import type { IssueOverview } from './overview.ts'
import type { TagDistribution } from './records.ts'
import { listTagDistributions } from './tags.ts'

/** Everything the screen of one issue shows; its event is the latest one. */
export interface IssueDetail extends IssueOverview {
  event: StoredEvent
  tags: TagDistribution[]
}

/**
 * An issue with its latest event and its tags. Three statements; undefined when the issue or its events are
 * gone.
 */
export async function findIssueDetail(
  db: Kysely<Database>,
  query: IssueQuery,
): Promise<IssueDetail | undefined> {
  const found = await findIssueOverview(db, query)
  if (!found) return undefined
  const key = { projectId: found.issue.project.id, issueId: query.issueId, projectIds: query.projectIds }
  const [event, tags] = await Promise.all([findLatestEvent(db, key), listTagDistributions(db, key)])
  return event && { ...found, event, tags }
}
