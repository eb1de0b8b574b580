import { windowIdOfPart } from '#server/store/alerts/thresholds/windows.ts'
import type { SqlOutput } from '#server/store/engine/connection.ts'
import type { EnvironmentHours } from '#server/store/issues/counters.ts'
import { issueTextColumns, issueTextHash } from '#server/store/issues/text.ts'
import { addToTrend, trendOrder } from '#server/store/issues/trend-weight.ts'
import { recordProjectUsers, recordUsers } from '#server/store/issues/user-sketch.ts'
import { sortedEntries } from '#server/store/sorted-entries.ts'
import { reopenByUsers } from '#server/store/triage/reopening.ts'
import type { IssueIncrement, ProjectCounters } from './counter-delta.ts'
import { toEventPoint, writeAdvance } from './issue-advance.ts'
import { expectCounters } from './read-ahead.ts'
import type { IngestStatements, IssueRowStatements } from './statements.ts'
import { writeTagCounts, type TagWriter } from './tag-writer.ts'

interface IssueKey {
  projectId: number
  issueId: number
}

/**
 * Adds to the counters of the issues of projects, in key order, and to the users of the projects. Call inside
 * a transaction.
 */
export function writeCounters(writer: TagWriter, projects: ReadonlyMap<number, ProjectCounters>): void {
  expectCounters(writer, projects)
  for (const [projectId, issues] of projects) writeProjectCounters(writer, projectId, issues)
}

function writeProjectCounters(writer: TagWriter, projectId: number, issues: ProjectCounters): void {
  const userHashes = new Set<number>()
  for (const [issueId, counters] of sortedEntries(issues)) {
    writeIssueCounters(writer, { projectId, issueId }, counters)
    for (const hash of counters.userHashes) userHashes.add(hash)
  }
  if (userHashes.size > 0) recordProjectUsers(writer.statements, projectId, userHashes)
}

/**
 * Adds to the counters of an issue (hours, tags, users) in key order, and updates what may lag behind its
 * events: the trend, the search words and, if deferred, its row. Call inside a transaction. Counts of an id
 * that is neither an issue nor a merged issue are discarded.
 */
function writeIssueCounters(writer: TagWriter, issue: IssueKey, counters: IssueIncrement): void {
  const { statements } = writer
  const { projectId, issueId } = issue
  const issueRow = statements.readCountedIssue.get(projectId, issueId)
  const isPart = issueRow === undefined
  const rows = isPart ? statements.parts : statements
  const row = issueRow ?? rows.readCountedIssue.get(projectId, issueId)
  if (row === undefined) return
  const latest = advance(rows, issue, { row, increment: counters })
  writeHours(statements, issue, counters.hours)
  writeTagCounts(writer, issue, counters.tags)
  const userCount = Number(row['user_count'])
  const counted = recordUsers(statements, { ...issue, userCount }, counters.userHashes)
  if (counted !== userCount) rows.setIssueUserCount.run(counted, projectId, issueId)
  writeTrend(rows, issue, { row, hours: counters.hours })
  // A part is found through its issue.
  if (!isPart) writeWords(statements, issue, latest ?? row)
  const windowId = isPart ? windowIdOfPart(issueId) : issueId
  writer.windows.add({ projectId, issueId: windowId }, counters)
  if (counted !== userCount && row['status'] === 'archived') {
    reopenByUsers(statements, { ...issue, isPart }, { userCount: counted, at: writer.clock() })
  }
}

type CountedIssueRow = Record<string, SqlOutput>

/** Updates the issue's row. Returns the texts of its latest event if that is a new one. */
function advance(
  rows: IssueRowStatements,
  { projectId, issueId }: IssueKey,
  { row, increment }: { row: CountedIssueRow; increment: IssueIncrement },
) {
  if (increment.advance === undefined) return undefined
  const before = {
    latest: toEventPoint(row['last_seen_at'], row['latest_event_id']),
    title: String(row['title']),
    culprit: String(row['culprit']),
  }
  const latest = writeAdvance(rows, [projectId, issueId], { before, advance: increment.advance })
  if (latest === undefined) return undefined
  const { title, subtitle, culprit, message = '' } = latest
  return { title, subtitle, culprit, message, text_hash: row['text_hash'] ?? null }
}

function writeTrend(
  rows: IssueRowStatements,
  { projectId, issueId }: IssueKey,
  { row, hours }: { row: CountedIssueRow; hours: EnvironmentHours },
): void {
  const before = { fast: Number(row['trend_fast']), slow: Number(row['trend_slow']) }
  const trend = addToTrend(before, hours.values())
  const order = trendOrder(trend)
  if (order === Number(row['trend'])) rows.setIssueTrendParts.run(trend.fast, trend.slow, projectId, issueId)
  else rows.setIssueTrend.run(trend.fast, trend.slow, order, projectId, issueId)
}

/** Updates the search words if those of the latest event differ. */
function writeWords(
  statements: IngestStatements,
  { projectId, issueId }: IssueKey,
  row: CountedIssueRow,
): void {
  const text = {
    title: String(row['title']),
    subtitle: String(row['subtitle']),
    culprit: String(row['culprit']),
    message: String(row['message']),
  }
  const textHash = issueTextHash(text)
  if (textHash === row['text_hash']) return
  statements.replaceIssueText.run(projectId, issueId, issueTextColumns(text))
  statements.setIssueTextHash.run(textHash, projectId, issueId)
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
