import type { IngestStatements } from './ingest-statements.ts'
import type { EnvironmentHours, IssueCounters } from './issue-counters.ts'
import { sortedEntries } from './sorted-entries.ts'
import { writeTagCounts } from './tag-writer.ts'
import type { TagWriter } from './tag-writer.ts'
import { recordUsers } from './user-sketch.ts'

interface IssueKey {
  projectId: number
  issueId: number
}

/**
 * Adds to the counters of an issue: hours, tags, users, in the order of their keys. Inside a transaction. Counts of an
 * issue that does not exist are forgotten.
 */
export function writeIssueCounters(writer: TagWriter, issue: IssueKey, counters: IssueCounters): void {
  const { statements } = writer
  const { projectId, issueId } = issue
  const row = statements.readIssueUserCount.get(projectId, issueId)
  if (row === undefined) return
  writeHours(statements, issue, counters.hours)
  writeTagCounts(writer, issue, counters.tags)
  const userCount = Number(row['user_count'])
  const counted = recordUsers(statements, { ...issue, userCount }, counters.userHashes)
  if (counted !== userCount) statements.setIssueUserCount.run(counted, projectId, issueId)
}

function writeHours(
  statements: IngestStatements,
  { projectId, issueId }: IssueKey,
  hours: EnvironmentHours,
): void {
  for (const [environment, ofEnvironment] of sortedEntries(hours)) {
    for (const [hour, eventCount] of sortedEntries(ofEnvironment)) {
      statements.upsertIssueHour.run(projectId, issueId, hour, environment, eventCount)
    }
  }
}
