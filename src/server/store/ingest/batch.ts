import type { OutcomeKind } from '#protocol/outcome.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { StoreBounds } from '#server/store/bounds.ts'
import { writeAttachments } from '#server/store/events/attachment-writer.ts'
import { createBlockBuilder, type BlockBuilder } from '#server/store/events/body-block.ts'
import { writeFigureDeltas } from '#server/store/figures/writer.ts'
import { countEvents } from '#server/store/issues/counters.ts'
import { issueIdCandidate, userHash } from '#server/store/issues/id.ts'
import { countedTags, tagHashes } from '#server/store/issues/tag-hash.ts'
import { queueCheckIns } from '#server/store/monitors/queue.ts'
import { removeDeadLetter, writeDeadLetter } from '#server/store/outcomes/dead-letter-writer.ts'
import { writeFilterSamples } from '#server/store/outcomes/filter-sample-writer.ts'
import { surplusSessionReason } from '#server/store/sessions/record.ts'
import { writeSessions } from '#server/store/sessions/writer.ts'
import { writeTraces } from '#server/store/traces/writer.ts'
import { discardedHashReason, discardedIssueId } from '#server/store/triage/discarded-hashes.ts'
import { writeOutboxEntries, writeDeliveryResults } from '#server/store/upstreams/outbox-writer.ts'
import { findKnownHash, type BatchCache } from './batch-cache.ts'
import { formatCounterDelta, type ProjectCounters } from './counter-delta.ts'
import { nextIdOfSlice, sliceOf } from './counter-slice.ts'
import { writeCounters } from './counter-writer.ts'
import { createIssueBatchCounts, addCountedEvent, addIssueEvent } from './issue-batch-counts.ts'
import type { IssueReference, IssueBatchCounts } from './issue-batch-counts.ts'
import { boundEnvironments } from './issue-environments.ts'
import { writeIssues } from './issue-writer.ts'
import { createProjectBatchCounts, addOutcome, addSeen } from './project-batch-counts.ts'
import type { ProjectBatchCounts } from './project-batch-counts.ts'
import { writeProjectCounters } from './project-counter-writer.ts'
import { expectEvents } from './read-ahead.ts'
import type {
  CommitResult,
  CommitEntry,
  EventCommit,
  EventRecord,
  FilterSample,
  OutcomeCount,
} from './records.ts'
import type { SpikeProtection } from './spike-protection.ts'
import type { IngestStatements } from './statements.ts'
import type { TagWriter } from './tag-writer.ts'

/** The state that outlives a batch. */
export interface BatchContext extends TagWriter {
  nextBlockId: () => number
  /**
   * True if this many more events may be added to the counters of their issues immediately; otherwise they
   * are written as a delta.
   */
  canCountNow: (eventCount: number) => boolean
  /** Schedules a fold of deltas. */
  expectFold: () => void
  spikeProtection: SpikeProtection
  cache: BatchCache
  bounds: StoreBounds
}

/** A batch in progress. Its counters are written once, after its last event. */
interface Batch {
  context: BatchContext
  blocks: BlockBuilder
  /** Targets by project and group hash. */
  issues: Map<string, HashTarget>
  /** Ids assigned in this batch, which are not in the database yet. */
  newIssueIds: Set<number>
  /** Counts by issue id. */
  issueCounts: Map<number, IssueBatchCounts>
  projects: ProjectBatchCounts
  /** Samples of events that the batch drops. */
  samples: FilterSample[]
}

/** An entry, unless it is a retry of a dead letter that no longer exists, with its result so far. */
interface WrittenEntry {
  entry: CommitEntry
  result: CommitResult
}

/**
 * Writes a batch of entries. The caller has begun a transaction and commits it, or rolls it back
 * when this throws. Results are in the order of `entries`.
 */
export function writeBatch(context: BatchContext, entries: CommitEntry[]): CommitResult[] {
  const batch: Batch = {
    context,
    blocks: createBlockBuilder(context.nextBlockId),
    issues: new Map(),
    newIssueIds: new Set(),
    issueCounts: new Map(),
    projects: createProjectBatchCounts(),
    samples: [],
  }
  expectEvents(context, entries)
  const written: WrittenEntry[] = []
  const results = entries.map((entry): CommitResult => {
    if (!removeDeadLetter(context.statements, entry)) return { events: [], isGone: true }
    const result = { events: entry.events.map((event) => writeEvent(batch, event)) }
    written.push({ entry, result })
    return result
  })
  for (const { entry, result } of written) {
    for (const outcome of entry.outcomes) addOutcome(batch.projects, outcome)
    queueCheckIns(context.statements.monitors, entry.checkIns ?? [])
    for (const letter of entry.deadLetters) writeDeadLetter(context.statements, letter)
    for (const outcome of writeAttachments(context, entry, result)) addOutcome(batch.projects, outcome)
  }
  writeForwarding(batch, written)
  writeBlocks(batch)
  const allCounts = sortedIssueCounts(batch)
  boundEnvironments(context, allCounts)
  const eventCount = sumEvents(allCounts)
  const isDeferred = eventCount > 0 && !context.canCountNow(eventCount)
  writeIssues(context, allCounts, isDeferred)
  if (isDeferred) writeDeltas(context, allCounts)
  else writeCounters(context, countersOf(allCounts))
  countSessions(batch, written)
  const traces = written.flatMap(({ entry }) => entry.traces ?? [])
  for (const outcome of writeTraces(context, traces)) addOutcome(batch.projects, outcome)
  writeFigureDeltas(
    context,
    written.flatMap(({ entry }) => entry.figures ?? []),
  )
  writeProjectCounters(context, batch.projects)
  writeFilterSamples(context.statements, [
    ...batch.samples,
    ...written.flatMap(({ entry }) => entry.samples ?? []),
  ])
  return results
}

/** Counts all sessions of the batch together, so that each release is written once. */
function countSessions({ context, projects }: Batch, written: readonly WrittenEntry[]): void {
  const items = written.flatMap(({ entry }) => entry.sessions ?? [])
  if (items.length === 0) return
  const ends = writeSessions(context.statements, items)
  for (const [at, { projectId, receivedAt, quantity }] of items.entries()) {
    const end =
      ends[at] === 'surplus'
        ? ({ outcome: 'abuse', reason: surplusSessionReason } as const)
        : ({ outcome: 'accepted', reason: '' } as const)
    addOutcome(projects, { projectId, category: 'session', ...end, quantity, at: receivedAt })
  }
  let from = 0
  for (const { entry, result } of written) {
    const length = entry.sessions?.length ?? 0
    if (length > 0) result.sessions = ends.slice(from, from + length)
    from += length
  }
}

/**
 * Queues all envelopes of the batch together, so that each upstream is written once and similar payloads are
 * compressed together.
 */
function writeForwarding({ context, projects }: Batch, written: readonly WrittenEntry[]): void {
  const outboxEntries = written.flatMap(({ entry, result }) =>
    isForwarded(result) ? (entry.outbox ?? []) : [],
  )
  const losses = writeOutboxEntries(context.statements, outboxEntries, context.bounds.outboxBytes)
  for (const loss of losses) addOutcome(projects, loss)
  const deliveryResults = written.flatMap(({ entry }) => entry.deliveryResults ?? [])
  if (deliveryResults.length > 0) writeDeliveryResults(context.statements, deliveryResults)
  const upstreamStates = written.flatMap(({ entry }) => entry.upstreamStates ?? [])
  for (const { projectId, upstreamId, state } of upstreamStates)
    context.statements.setUpstreamState.run(state, projectId, upstreamId)
}

/** A duplicate has already been forwarded. */
function isForwarded({ events }: CommitResult): boolean {
  return events.length === 0 || events.some((result) => result !== 'duplicate')
}

function writeEvent(batch: Batch, event: EventRecord): EventCommit {
  const target = findTarget(batch, event)
  if (target === 'discarded') return discardEvent(batch, event)
  const { issue, part } = target
  const by = {
    userHash: event.userKey === undefined ? undefined : userHash(event.userKey),
    tags: countedTags(event),
  }
  if (isOnlyCounted(batch, issue, event)) {
    addOutcome(batch.projects, outcomeOf(event, 'accepted', 'spike_protection'))
    const { spikes } = batch.projects
    if (!spikes.has(event.projectId))
      spikes.set(event.projectId, { issueId: issue.issueId, at: event.receivedAt })
    addSeen(batch.projects, event)
    for (const each of part ? [issue, part] : [issue]) {
      addCountedEvent(issueCountsOf(batch, each, event), event, by)
    }
    return 'counted'
  }
  const slot = batch.blocks.slotFor(event.projectId, event.payload.byteLength)
  const inserted = batch.context.statements.insertEvent.run(
    event.projectId,
    toIdBytes(event.eventId),
    issue.issueId,
    slot.blockId,
    slot.offset,
    event.payload.byteLength,
    event.occurredAt,
    event.receivedAt,
    event.level,
    event.environment,
    event.release ?? null,
    by.userHash ?? null,
    event.traceId === undefined ? null : toIdBytes(event.traceId),
    event.clientAddress ?? null,
    tagHashes(by.tags),
    // The merged issue that the event belongs to; null for the own part of the merge target.
    part === undefined || part.issueId < 0 ? null : part.issueId,
    event.isTraceSampled === undefined ? null : Number(event.isTraceSampled),
  )
  const isDuplicate = Number(inserted.changes) === 0
  addOutcome(
    batch.projects,
    isDuplicate ? outcomeOf(event, 'invalid', 'duplicate') : outcomeOf(event, 'accepted', ''),
  )
  if (isDuplicate) return 'duplicate'
  slot.fill(event.payload)
  for (const digest of event.digests ?? []) {
    batch.context.statements.insertDigest.run(event.projectId, digest, toIdBytes(event.eventId))
  }
  writeFeedback(batch.context, event)
  addSeen(batch.projects, event)
  for (const each of part ? [issue, part] : [issue]) {
    addIssueEvent(issueCountsOf(batch, each, event), event, by)
  }
  return 'accepted'
}

/** Drops an event of a deleted issue whose future events are discarded. */
function discardEvent(batch: Batch, event: EventRecord): EventCommit {
  const { projectId, category, receivedAt, environment, release, payload } = event
  addOutcome(batch.projects, outcomeOf(event, 'filtered', discardedHashReason))
  batch.samples.push({
    projectId,
    reason: discardedHashReason,
    category,
    receivedAt,
    title: event.subtitle === '' ? event.title : `${event.title}: ${event.subtitle}`,
    environment,
    release,
    payload,
  })
  return 'discarded'
}

/**
 * True for an event of an issue above its spike limit: it is counted but not stored. False for a duplicate,
 * which the insert detects, and for an event without an issue, which creates one.
 */
function isOnlyCounted(batch: Batch, { projectId, issueId }: IssueReference, event: EventRecord): boolean {
  const { spikeProtection, statements, cache } = batch.context
  if (event.spikeProtection === undefined) return false
  if (spikeProtection.keeps(issueId, event.receivedAt, event.spikeProtection)) return false
  const hasIssue =
    batch.issueCounts.get(issueId)?.ends !== undefined ||
    cache.issues.has(issueId) ||
    statements.readIssue.get(projectId, issueId) !== undefined
  return hasIssue && statements.findEvent.get(projectId, toIdBytes(event.eventId)) === undefined
}

function outcomeOf(
  { projectId, category, receivedAt }: EventRecord,
  outcome: OutcomeKind,
  reason: string,
): OutcomeCount {
  return { projectId, category, outcome, reason, quantity: 1, at: receivedAt }
}

/** Stores feedback about another event under that event's id. */
function writeFeedback(
  { statements }: BatchContext,
  { projectId, eventId, receivedAt, feedback }: EventRecord,
) {
  if (feedback === undefined) return
  const { aboutEventId, name, email, message } = feedback
  const [about, own] = [toIdBytes(aboutEventId), toIdBytes(eventId)]
  statements.insertFeedback.run(projectId, about, own, receivedAt, name, email, message)
}

/** The counts of an issue in this batch. After a merge, several hashes belong to one issue. */
function issueCountsOf({ issueCounts }: Batch, issue: IssueReference, event: EventRecord): IssueBatchCounts {
  const known = issueCounts.get(issue.issueId)
  if (known) return known
  const counts = createIssueBatchCounts(issue, event)
  issueCounts.set(issue.issueId, counts)
  return counts
}

/**
 * The target of the events of a group hash: an issue and, if others were merged into it, its part
 * that the hash belongs to.
 */
type HashTarget = { issue: IssueReference; part?: IssueReference } | 'discarded'

/** Finds the issue of an event's group hash, once per batch. */
function findTarget(batch: Batch, event: EventRecord): HashTarget {
  const { projectId, groupHash, mechanism } = event
  const key = `${projectId}:${groupHash}`
  const known = batch.issues.get(key)
  if (known) return known
  const row = findKnownHash(batch.context, event)
  const target = row?.issueId === discardedIssueId ? 'discarded' : toTarget()
  batch.issues.set(key, target)
  return target

  function toTarget(): HashTarget {
    const issueId = row ? row.issueId : makeIssueId(batch, projectId, groupHash)
    const issue = { projectId, issueId, isPart: false, isNew: row === undefined, groupHash, mechanism }
    if (row?.partId === undefined) return { issue }
    return { issue, part: { ...issue, issueId: row.partId, isPart: true } }
  }
}

function makeIssueId(batch: Batch, projectId: number, groupHash: string): number {
  for (let salt = 0; ; salt += 1) {
    const id = issueIdCandidate(projectId, groupHash, salt)
    if (batch.newIssueIds.has(id) || isTaken(batch.context.statements, projectId, id)) continue
    batch.newIssueIds.add(id)
    return id
  }
}

/** True if the id belongs to an issue, a merged issue, or a deleted issue whose counters still exist. */
function isTaken(statements: IngestStatements, projectId: number, issueId: number): boolean {
  return (
    statements.findProjectOfIssue.get(issueId) !== undefined ||
    statements.findExpiredIssue.get(projectId, issueId) !== undefined ||
    statements.findIssuePart.get(projectId, issueId) !== undefined
  )
}

function writeBlocks({ context, blocks }: Batch): void {
  const createdAt = context.clock()
  // In the order of projects: each block adds to a row of its project, also in other transactions.
  const finished = blocks.finish().toSorted((one, other) => one.projectId - other.projectId)
  for (const { projectId, id, eventCount, rawBytes, data } of finished) {
    context.statements.insertBlock.run(projectId, id, eventCount, rawBytes, createdAt, data)
  }
}

/**
 * Hours, users and above all tags are most of the rows of a batch: a dozen per event, at random positions.
 * Under load they are written as one row per slice of a project's issues, and `foldCounterDeltas` adds them
 * up later, together with those of many batches.
 */
function writeDeltas(context: BatchContext, allCounts: IssueBatchCounts[]): void {
  for (const [projectId, ofProject] of Map.groupBy(allCounts, ({ issue }) => issue.projectId)) {
    for (const [slice, ofSlice] of Map.groupBy(ofProject, ({ issue }) => sliceOf(issue.issueId))) {
      const id = nextIdOfSlice(context.nextBlockId, slice)
      context.statements.insertCounterDelta.run(
        projectId,
        id,
        sumEvents(ofSlice),
        formatCounterDelta(ofSlice),
      )
    }
  }
}

function countersOf(allCounts: readonly IssueBatchCounts[]): Map<number, ProjectCounters> {
  const projects = Map.groupBy(allCounts, ({ issue }) => issue.projectId)
  return new Map(
    [...projects].map(([projectId, ofProject]) => [
      projectId,
      new Map(ofProject.map(({ issue, counted }) => [issue.issueId, countEvents(counted)])),
    ]),
  )
}

function sumEvents(allCounts: IssueBatchCounts[]): number {
  return allCounts.reduce((sum, { eventCount }) => sum + eventCount, 0)
}

function sortedIssueCounts({ issueCounts }: Batch): IssueBatchCounts[] {
  return [...issueCounts.values()].toSorted(
    (one, other) => one.issue.projectId - other.issue.projectId || one.issue.issueId - other.issue.issueId,
  )
}
