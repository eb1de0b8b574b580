import { toFirstEventNotice } from '#alerts/notice.ts'
import { noIssueId, toEventCause, toQueueValues } from '#server/store/alerts/queue.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import { issueTextColumns, issueTextHash } from '#server/store/issues/text.ts'
import { writeTraits } from '#server/store/issues/traits.ts'
import { reopenByEvents } from '#server/store/triage/reopening.ts'
import { cacheRow, type BatchCache, type KnownIssue } from './batch-cache.ts'
import { toEventPoint, toIssueAdvance, writeAdvance } from './issue-advance.ts'
import { isEarlier, type EventPoint, type IssueBatchCounts } from './issue-batch-counts.ts'
import { environmentKey } from './issue-environments.ts'
import { expectIssues } from './read-ahead.ts'
import type { EventRecord } from './records.ts'
import type { IngestStatements } from './statements.ts'

/** The dependencies of `writeIssues`. */
export interface IssueWriter {
  statements: IngestStatements
  cache: BatchCache
}

/**
 * Creates the new issues of a batch and updates the existing ones. Call inside the batch's transaction.
 * `isDeferred`: updates to the rows of open issues are left in `counts.advance` instead.
 */
export function writeIssues(
  writer: IssueWriter,
  allCounts: readonly IssueBatchCounts[],
  isDeferred: boolean,
): void {
  expectIssues(writer, allCounts)
  const numbers = new IssueNumbers(writer.statements)
  for (const counts of allCounts) writeIssue({ ...writer, isDeferred }, counts, numbers)
  numbers.write()
}

function writeIssue(
  { statements, cache, isDeferred }: IssueWriter & { isDeferred: boolean },
  counts: IssueBatchCounts,
  numbers: IssueNumbers,
): void {
  const known = counts.issue.isNew
    ? undefined
    : (cache.issues.get(counts.issue.issueId) ?? readIssue(statements, counts))
  // An issue that was deleted but whose hashes remained gets its old id and a new number.
  if (known) updateIssue({ statements, isDeferred }, counts, known)
  else if (counts.ends && !counts.issue.isPart) {
    const number = numbers.take(counts.issue.projectId)
    insertIssue(statements, counts, { ...counts.ends, number })
  }
  cacheIssue(cache, counts, known)
  writeTraits({ statements, cache }, counts)
  const { projectId, issueId } = counts.issue
  if (counts.countedOnly > 0)
    rowsOf(statements, counts).countMissingEvents.run(counts.countedOnly, projectId, issueId)
  for (const environment of counts.environments) {
    if (cacheRow(cache, environmentKey(issueId, environment))) continue
    statements.insertIssueEnvironment.run(projectId, issueId, environment)
  }
}

/** Caches the row as this batch leaves it. A closed issue is not cached: the batch may reopen it. */
function cacheIssue(
  { issues }: BatchCache,
  { issue, ends, firstReleased }: IssueBatchCounts,
  known?: KnownIssue,
) {
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
    first: isNewStart ? pointOf(ends.first) : known.first,
    latest: isLatest ? pointOf(ends.latest) : known.latest,
    title,
    culprit,
    firstRelease,
    isClosed: false,
  })
}

/** Drops the other fields of the event, which would keep its payload in memory. */
function pointOf({ occurredAt, eventId }: EventPoint): EventPoint {
  return { occurredAt, eventId }
}

/** A part has the same columns as an issue, in a table of its own. */
function rowsOf(statements: IngestStatements, { issue }: IssueBatchCounts) {
  return issue.isPart ? statements.parts : statements
}

function readIssue(statements: IngestStatements, counts: IssueBatchCounts): KnownIssue | undefined {
  const { projectId, issueId } = counts.issue
  const row = rowsOf(statements, counts).readIssue.get(projectId, issueId)
  if (!row) return undefined
  return {
    first: toEventPoint(row['first_seen_at'], row['first_event_id']),
    latest: toEventPoint(row['last_seen_at'], row['latest_event_id']),
    title: String(row['title']),
    culprit: String(row['culprit']),
    ...(typeof row['first_release'] === 'string' && { firstRelease: row['first_release'] }),
    isClosed: row['status'] !== 'unresolved',
  }
}

function updateIssue(
  { statements, isDeferred }: { statements: IngestStatements; isDeferred: boolean },
  counts: IssueBatchCounts,
  known: KnownIssue,
): void {
  const { issue, eventCount, ends } = counts
  const rows = rowsOf(statements, counts)
  const key = [issue.projectId, issue.issueId] as const
  const firstRelease = counts.firstReleased?.release
  if (known.isClosed) reopenByEvents(statements, counts)
  if (ends === undefined) rows.countIssueEvents.run(eventCount, ...key)
  else {
    const advance = toIssueAdvance(counts, ends.latest)
    // Events without a row are counted immediately: an issue must never count fewer events than it lacks
    // rows.
    if (isDeferred && !known.isClosed && counts.countedOnly === 0) counts.advance = advance
    else writeAdvance(rows, key, { before: known, advance })
  }
  const isNewStart = ends !== undefined && isEarlier(ends.first, known.first)
  if (isNewStart) {
    rows.moveIssueStart.run(ends.first.occurredAt, toIdBytes(ends.first.eventId), ...key)
  }
  if (firstRelease !== undefined && (known.firstRelease === undefined || isNewStart)) {
    rows.setIssueFirstRelease.run(firstRelease, ...key)
  }
}

function insertIssue(
  statements: IngestStatements,
  counts: IssueBatchCounts,
  { first, latest, number }: NonNullable<IssueBatchCounts['ends']> & { number: number },
): void {
  const { issue, eventCount } = counts
  const { projectId, issueId, mechanism } = issue
  const text = { ...latest, message: latest.message ?? '' }
  statements.insertIssue.run(
    projectId,
    issueId,
    number,
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
    counts.firstReleased?.release ?? null,
    counts.latestReleased?.release ?? null,
    toIdBytes(first.eventId),
    toIdBytes(latest.eventId),
    latest.message ?? null,
    issueTextHash(text),
  )
  statements.replaceIssueText.run(projectId, issueId, issueTextColumns(text))
  if (latest.isImported !== true) queueNew(statements, counts, { latest, first, number })
  statements.insertHash.run(projectId, toIdBytes(issue.groupHash), mechanism, issueId)
}

/** Queues the alert transition of a new issue, and that of its project if it is the project's first issue. */
function queueNew(
  statements: IngestStatements,
  { issue: { projectId, issueId }, newest }: IssueBatchCounts,
  { latest, first, number }: { latest: EventRecord; first: EventRecord; number: number },
): void {
  const cause = toEventCause(latest)
  statements.transitions.queueAlert.run(
    ...toQueueValues({ projectId, issueId, kind: 'new', at: newest.receivedAt, cause }),
  )
  if (number === 1) queueFirstEvent(statements, projectId, first)
}

/** The first event of a project creates its first issue. Issue numbers never decrease. */
function queueFirstEvent(statements: IngestStatements, projectId: number, event: EventRecord): void {
  const { receivedAt: at, release } = event
  const cause = { release, notice: toFirstEventNotice(event) }
  statements.transitions.queueAlert.run(
    ...toQueueValues({ projectId, issueId: noIssueId, kind: 'first_event', at, cause }),
  )
}

/** The numbers that a batch assigns to new issues; read and written once per project. */
class IssueNumbers {
  private readonly statements: IngestStatements
  /** The last number by project. */
  private readonly last = new Map<number, number>()

  constructor(statements: IngestStatements) {
    this.statements = statements
  }

  take(projectId: number): number {
    const number = (this.last.get(projectId) ?? this.read(projectId)) + 1
    this.last.set(projectId, number)
    return number
  }

  write(): void {
    for (const [projectId, number] of this.last) this.statements.setIssueNumber.run(number, projectId)
  }

  private read(projectId: number): number {
    const row = this.statements.readIssueNumber.get(projectId)
    if (row === undefined) throw new Error(`unknown project ${projectId}`)
    return Number(row['last_issue_number'])
  }
}
