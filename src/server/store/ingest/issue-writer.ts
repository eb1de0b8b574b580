import { fromIdBytes, toIdBytes } from '#server/store/binary-id.ts'
import { issueTextColumns, issueTextHash } from '#server/store/issues/text.ts'
import { writeTraits } from '#server/store/issues/traits.ts'
import { reopenByEvents } from '#server/store/triage/reopening.ts'
import { rememberRow } from './batch-memory.ts'
import type { BatchMemory, KnownIssue } from './batch-memory.ts'
import { isEarlier } from './issue-tally.ts'
import type { EventPlace, IssueTally } from './issue-tally.ts'
import type { IngestStatements } from './statements.ts'

/** What issues are written with. */
export interface IssueWriter {
  statements: IngestStatements
  memory: BatchMemory
}

/**
 * Writes what a batch adds to one issue, and the issue itself when it is new. Inside the batch's transaction.
 */
export function writeIssue({ statements, memory }: IssueWriter, tally: IssueTally): void {
  const known = tally.issue.isNew
    ? undefined
    : (memory.issues.get(tally.issue.issueId) ?? readIssue(statements, tally))
  // An issue that was deleted while its hashes remained gets its old id and a new number.
  if (known) updateIssue(statements, tally, known)
  else if (tally.ends && !tally.issue.isPart) insertIssue(statements, tally, tally.ends)
  remember(memory, tally, known)
  writeTraits({ statements, memory }, tally)
  const { projectId, issueId } = tally.issue
  if (tally.countedOnly > 0)
    rowsOf(statements, tally).countMissingEvents.run(tally.countedOnly, projectId, issueId)
  for (const environment of tally.environments) {
    if (rememberRow(memory, ['issue environment', issueId, environment])) continue
    statements.insertIssueEnvironment.run(projectId, issueId, environment)
  }
}

/**
 * Remembers the row as this batch leaves it. A closed issue is not remembered: the batch may reopen it.
 */
function remember({ issues }: BatchMemory, { issue, ends, firstReleased }: IssueTally, known?: KnownIssue) {
  if (issue.isPart || known?.isClosed === true) return
  if (ends === undefined) {
    if (known) issues.set(issue.issueId, known)
    return
  }
  const isNewStart = known === undefined || isEarlier(ends.first, known.first)
  const isLatest = known === undefined || isEarlier(known.latest, ends.latest)
  const { title, culprit } = isLatest ? ends.latest : known
  const firstRelease =
    known?.firstRelease === undefined || isNewStart
      ? (firstReleased?.release ?? known?.firstRelease)
      : known.firstRelease
  issues.set(issue.issueId, {
    first: isNewStart ? toEventPlace(ends.first) : known.first,
    latest: isLatest ? toEventPlace(ends.latest) : known.latest,
    title,
    culprit,
    firstRelease,
    isClosed: false,
  })
}

/** Drops the rest of the event, which must not stay in memory. */
function toEventPlace({ occurredAt, eventId }: EventPlace): EventPlace {
  return { occurredAt, eventId }
}

/** A merged issue has the same columns as an issue, in its own table. */
function rowsOf(statements: IngestStatements, { issue }: IssueTally) {
  return issue.isPart ? statements.parts : statements
}

function readIssue(statements: IngestStatements, tally: IssueTally): KnownIssue | undefined {
  const { projectId, issueId } = tally.issue
  const row = rowsOf(statements, tally).readIssue.get(projectId, issueId)
  if (!row) return undefined
  return {
    first: toPlace(row['first_seen_at'], row['first_event_id']),
    latest: toPlace(row['last_seen_at'], row['latest_event_id']),
    title: String(row['title']),
    culprit: String(row['culprit']),
    ...(typeof row['first_release'] === 'string' && { firstRelease: row['first_release'] }),
    isClosed: row['status'] !== 'unresolved',
  }
}

function toPlace(occurredAt: unknown, eventId: unknown): EventPlace {
  if (!(eventId instanceof Uint8Array)) throw new TypeError('an event id is stored as bytes')
  return { occurredAt: Number(occurredAt), eventId: fromIdBytes(eventId) }
}

function updateIssue(statements: IngestStatements, tally: IssueTally, known: KnownIssue): void {
  const { issue, eventCount, ends } = tally
  const rows = rowsOf(statements, tally)
  const key = [issue.projectId, issue.issueId]
  const firstRelease = tally.firstReleased?.release
  if (ends && isEarlier(known.latest, ends.latest)) {
    const { latest } = ends
    rows.advanceIssue.run(
      eventCount,
      latest.occurredAt,
      toIdBytes(latest.eventId),
      tally.latestReleased?.release ?? null,
      latest.type,
      latest.subtitle,
      latest.level,
      latest.platform,
      latest.logger ?? null,
      latest.message ?? null,
      ...key,
    )
    if (latest.title !== known.title || latest.culprit !== known.culprit) {
      rows.retitleIssue.run(latest.title, latest.culprit, ...key)
    }
  } else {
    rows.countIssueEvents.run(eventCount, ...key)
  }
  const isNewStart = ends !== undefined && isEarlier(ends.first, known.first)
  if (isNewStart) {
    rows.moveIssueStart.run(ends.first.occurredAt, toIdBytes(ends.first.eventId), ...key)
  }
  if (firstRelease !== undefined && (known.firstRelease === undefined || isNewStart)) {
    rows.setIssueFirstRelease.run(firstRelease, ...key)
  }
  if (known.isClosed) reopenByEvents(statements, tally)
}

function insertIssue(
  statements: IngestStatements,
  tally: IssueTally,
  { first, latest }: NonNullable<IssueTally['ends']>,
): void {
  const { issue, eventCount } = tally
  const { projectId, issueId, mechanism } = issue
  const text = { ...latest, message: latest.message ?? '' }
  statements.insertIssue.run(
    projectId,
    issueId,
    takeIssueNumber(statements, projectId),
    latest.type,
    latest.title,
    latest.subtitle,
    latest.culprit,
    latest.level,
    latest.platform,
    latest.logger ?? null,
    mechanism,
    first.occurredAt,
    latest.occurredAt,
    eventCount,
    tally.firstReleased?.release ?? null,
    tally.latestReleased?.release ?? null,
    toIdBytes(first.eventId),
    toIdBytes(latest.eventId),
    latest.message ?? null,
    issueTextHash(text),
  )
  statements.replaceIssueText.run(issueId, ...issueTextColumns(text))
  statements.insertHash.run(projectId, toIdBytes(issue.groupHash), mechanism, issueId)
}

function takeIssueNumber(statements: IngestStatements, projectId: number): number {
  if (Number(statements.takeIssueNumber.run(projectId).changes) === 0) {
    throw new Error(`unknown project ${projectId}`)
  }
  return Number(statements.readIssueNumber.get(projectId)?.['last_issue_number'])
}
