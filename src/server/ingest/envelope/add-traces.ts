import type { EnvelopeItem } from '#protocol/envelope.ts'
import { itemQuantity } from '#protocol/item-quantity.ts'
import type { JsonObject } from '#protocol/json.ts'
import { toEventResult } from '#server/ingest/items/event.ts'
import { toPerformanceEvent } from '#server/ingest/items/performance-event.ts'
import { toSpansResult, type SpansResult } from '#server/ingest/items/span.ts'
import { toFilterMark, toTraceRecord } from '#server/ingest/items/trace-record.ts'
import { readScrubbed, toTransactionResult } from '#server/ingest/items/transaction.ts'
import { limits } from '#server/limits.ts'
import type { ReadSpans } from '#server/normalize/spans/read-segment.ts'
import { toFigures } from '#traces/figures.ts'
import { findPerformanceProblems } from '#traces/performance-problems.ts'
import type { TraceSegment } from '#traces/span.ts'
import { createSqlScrubber, type ScrubSql } from '#traces/sql-text.ts'
import type { EnvelopeState } from './envelope-state.ts'

/** True for a project that stores traces, or at least their figures. */
export function storesTraces({ context }: EnvelopeState): boolean {
  return context.rules.settings.traces.mode !== 'off'
}

/**
 * Adds a transaction with its spans, or counts it as filtered with a sample, or as not stored. Like all
 * generators here, pauses at each `yield`.
 */
export function* addTransaction(state: EnvelopeState, item: EnvelopeItem): Generator<undefined> {
  const result = toTransactionResult(item.payload, state.envelope.header, state.context)
  if (result.kind === 'filtered') {
    state.requireEventId()
    state.filtered ??= result.item
    const { eventId } = state.envelope.header
    state.addFiltered({
      ...result.item,
      sample: { ...result.item.sample, ...(eventId !== undefined && { eventId }) },
    })
  } else if (!storesTraces(state)) {
    state.loseUnsupported(item)
  } else if (result.kind === 'unreadable') {
    state.requireEventId()
    state.lose(item, 'invalid_json')
  } else {
    yield* addReadTransaction(state, result.read)
  }
}

/** Adds a transaction that was sent as an event and that no filter dropped. */
export function addTransactionEvent(state: EnvelopeState, value: JsonObject): void {
  if (storesTraces(state)) {
    // Runs within the single step of an event.
    addReadTransaction(state, readScrubbed(value, state.envelope.header, state.context)).toArray()
    return
  }
  state.lostFor ??= 'feature_disabled'
  state.countInvalid('transaction', 'feature_disabled')
}

function* addReadTransaction(state: EnvelopeState, read: ReadSpans): Generator<undefined> {
  for (const segment of read.segments) {
    state.eventId ??= segment.eventId
    segment.eventId ??= state.requireEventId()
  }
  state.requireEventId()
  // Attachments of transactions are not stored.
  state.lostFor ??= 'feature_disabled'
  yield* addRead(state, read)
}

/** Adds the spans of an item; counts the spans of filtered root spans, with a sample. */
export function* addSpans(state: EnvelopeState, item: EnvelopeItem): Generator<undefined> {
  const sent = state.envelope.header
  const result = yield* toSpansResult(item.payload, { sent, earlier: state.filteredSegments }, state.context)
  if (storesTraces(state)) yield* addSpansResult(state, result, itemQuantity(item))
  else {
    const filteredCount = addFilteredSegments(state, result)
    const otherCount = itemQuantity(item) - filteredCount
    if (otherCount > 0) state.countInvalid('span', 'feature_disabled', otherCount)
  }
}

/** Adds parsed spans. `quantity`: the number that the sender declares, for spans that cannot be parsed. */
function* addSpansResult(state: EnvelopeState, result: SpansResult, quantity: number): Generator<undefined> {
  const filteredCount = addFilteredSegments(state, result)
  if (result.spanCount === undefined) {
    state.countInvalid('span', 'invalid_json', quantity)
    return
  }
  yield* addRead(state, result.read)
  const { segments, dropped } = result.read
  const readCount = segments.reduce((sum, { spans }) => sum + spans.length, 0)
  const droppedCount = [...dropped.values()].reduce((sum, count) => sum + count, 0)
  const unreadCount = result.spanCount - filteredCount - readCount - droppedCount
  if (unreadCount > 0) state.countInvalid('span', 'too_many_spans', unreadCount)
}

/** Adds the performance problems of a segment as events, which are committed with it. */
function* addProblems(
  { work, context }: EnvelopeState,
  { segment, scrubSql }: { segment: TraceSegment; scrubSql: ScrubSql },
): Generator<undefined> {
  const { projectId, receivedAt, rules, problemPace } = context
  const problems = yield* findPerformanceProblems(segment, rules.settings.performanceIssues, {
    maxCount: limits.problemsPerSegment,
    scrubSql,
  })
  for (const problem of problems) {
    const event = toPerformanceEvent({ problem, segment, projectId, receivedAt }, problemPace)
    const result = event && toEventResult(event, context)
    if (result?.kind === 'stored') work.events.push(result.record)
  }
}

/** Returns the number of spans that filters dropped. */
function addFilteredSegments(state: EnvelopeState, { filtered, filteredLater }: SpansResult): number {
  let count = 0
  for (const dropped of filtered) {
    const { spanId, reason, quantity, segment } = dropped
    state.addFiltered(dropped)
    state.filteredSegments.set(spanId, reason)
    if (segment !== undefined && storesSamples(state))
      (state.work.traces ??= []).push(toFilterMark(segment, state.context))
    count += quantity
  }
  for (const [reason, quantity] of filteredLater) {
    state.count({ category: 'span', outcome: 'filtered', reason, quantity })
    count += quantity
  }
  return count
}

function storesSamples({ context }: EnvelopeState): boolean {
  return context.rules.settings.traces.mode === 'samples'
}

function* addRead(state: EnvelopeState, { segments, dropped }: ReadSpans): Generator<undefined> {
  const { work, context } = state
  const { projectId, receivedAt, userAgent, pageNames, unknownPages } = context
  const maxCount = limits.figuresPerSegment
  work.figures ??= []
  work.traces ??= []
  for (const sent of segments) {
    const segment = pageNames?.apply(projectId, sent, unknownPages) ?? sent
    const scrubSql = createSqlScrubber()
    yield undefined
    yield* addProblems(state, { segment, scrubSql })
    yield undefined
    const figures = yield* toFigures(segment, { maxCount, userAgent, scrubSql })
    work.figures.push({ projectId, receivedAt, figures })
    yield undefined
    const record = toTraceRecord(segment, context)
    if (storesSamples(state)) work.traces.push(record)
    else
      state.count({ category: record.category, outcome: 'accepted', reason: '', quantity: record.quantity })
  }
  for (const [problem, count] of dropped)
    state.countInvalid(problem === 'invalid_transaction' ? 'transaction' : 'span', problem, count)
}
