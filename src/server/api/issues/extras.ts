import type { Feedback } from '#protocol/event.ts'
import { readStoredEvent } from '#server/console/events/events.ts'
import { readLatestEvents } from '#server/store/events/latest-events.ts'
import { readIssueExtras, type IssueExtras } from '#server/store/issues/api-fields.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import type { Db } from '#server/store/schema/database.ts'

/** The data of an issue that clients see and the stream does not show. */
export interface ShownExtras extends IssueExtras {
  /** Of its latest event; absent for issues that are no feedback. */
  feedback?: Feedback
}

/** The extras of issues, by id. Reads the latest events of those that are feedback. */
export async function readShownExtras(
  db: Db,
  issues: readonly Pick<IssueSummary, 'id' | 'project' | 'type'>[],
): Promise<Map<string, ShownExtras>> {
  const extras: Map<string, ShownExtras> = await readIssueExtras(db, issues)
  const ofFeedback = issues.filter(({ type }) => type === 'feedback')
  for (const [projectId, ofProject] of Map.groupBy(ofFeedback, ({ project }) => project.id)) {
    const issueIds = ofProject.map(({ id }) => Number(id))
    for await (const { issueId, ...event } of readLatestEvents(db, { projectId, issueIds })) {
      const { feedback } = readStoredEvent(event)
      const ofIssue = extras.get(String(issueId))
      if (ofIssue !== undefined && feedback !== undefined) ofIssue.feedback = feedback
    }
  }
  return extras
}
