import { limits } from '#server/limits.ts'
import type { StoredSegment } from '#server/store/traces/records.ts'
import type { TraceSegments } from '#server/store/traces/traces.ts'
import { endOf, findServiceName, type Span } from '#traces/span.ts'
import type { TraceRow } from '#traces/trace-rows.ts'
import type { TraceNode, TraceTree } from '#traces/trace-tree.ts'
import { labelOfSpan } from '#traces/transaction-name.ts'
import type { TraceError, TraceNote, TraceService, Waterfall } from './views.ts'

/** A span and its service. */
export interface ServiceSpan extends Span {
  serviceAt: number
  /** Unix milliseconds. */
  receivedAt: number
  /** The event id of its transaction, if it arrived in one. */
  transactionEventId?: string
}

/** The spans of a trace's segments, and their services. */
export interface SpansOfTrace {
  spans: ServiceSpan[]
  services: TraceService[]
}

/** Merges the spans of segments. Of two copies of a span, the first and thus newest one is used. */
export function collectSpans(segments: readonly StoredSegment[]): SpansOfTrace {
  const services: TraceService[] = []
  const positions = new Map<string, number>()
  const spans = segments.flatMap(({ project, segment, receivedAt }) => {
    const { environment, release } = segment
    const name = findServiceName(segment)
    const key = JSON.stringify([project.id, name, environment, release])
    const serviceAt = positions.get(key) ?? services.length
    if (serviceAt === services.length) {
      services.push({ project, name, environment, release })
      positions.set(key, serviceAt)
    }
    const added = { serviceAt, receivedAt, transactionEventId: segment.eventId }
    return segment.spans.map((span): ServiceSpan => Object.assign(span, added))
  })
  return { spans, services }
}

/** The tree of a trace as rows, at most `limits.traceSpansShown`, with its errors at their spans. */
export function toWaterfall(
  tree: TraceTree<ServiceSpan>,
  services: TraceService[],
  errors: readonly TraceError[] = [],
): Waterfall {
  const nodes = tree.nodes.slice(0, limits.traceSpansShown)
  const rows = nodes.map((node, at) => toRow(node, at, tree.startedAt))
  for (const [errorAt, error] of errors.entries()) {
    const row =
      rows.find(({ spanId }) => spanId === error.spanId) ??
      findRowByTime(rows, { error, services, startedAt: tree.startedAt })
    if (row !== undefined) row.errorsAt = [...(row.errorsAt ?? []), errorAt]
  }
  return { startedAt: tree.startedAt, durationUs: tree.durationUs, rows, services }
}

function toRow(node: TraceNode<ServiceSpan>, at: number, traceStartedAt: number): TraceRow {
  const { span, depth, parentAt, descendantCount } = node
  return {
    at,
    spanId: span.spanId,
    depth,
    parentAt,
    descendantCount,
    op: span.op,
    label: labelOfSpan(span),
    startUs: Math.round((span.startedAt - traceStartedAt) * 1000),
    durationUs: span.durationUs,
    isError: span.status === 'error',
    isSegment: span.isSegment,
    serviceAt: span.serviceAt,
  }
}

/** Times of events have whole milliseconds. */
const toleranceUs = 1_000

/**
 * For an error without a known span: the innermost span of its project that ran when it occurred, or else the
 * last root span before it.
 */
function findRowByTime(
  rows: readonly TraceRow[],
  { error, services, startedAt }: { error: TraceError; services: readonly TraceService[]; startedAt: number },
): TraceRow | undefined {
  const atUs = (error.occurredAt - startedAt) * 1000
  const own = rows.filter(({ serviceAt }) => services[serviceAt]?.project.id === error.project.id)
  const running = own.filter(
    ({ startUs, durationUs }) => startUs - toleranceUs <= atUs && atUs <= startUs + durationUs + toleranceUs,
  )
  const innermost = running.toSorted(
    (one, other) => other.depth - one.depth || one.durationUs - other.durationUs,
  )
  return innermost[0] ?? own.findLast(({ isSegment, startUs }) => isSegment && startUs <= atUs) ?? own[0]
}

/** The reasons why a trace is incomplete, or its times are inexact. */
export function toNotes(
  tree: TraceTree<ServiceSpan>,
  { segments, storedCount, readCount, isWhole }: TraceSegments,
): TraceNote[] {
  const notes: TraceNote[] = []
  const { nodes, cycleCount } = tree
  const lostCount = nodes.filter(({ hasLostParent }) => hasLostParent).length
  const aheadCount = nodes.filter((node) => isAhead(node, nodes)).length
  const skewedCount = nodes.filter(({ isSkewed }) => isSkewed).length
  // Missing spans may be in the segments that were not read.
  if (isWhole && nodes.length > 0 && nodes.every(({ span }) => !span.isSegment))
    notes.push({ kind: 'no_root', count: nodes.length })
  if (isWhole && lostCount > 0) notes.push({ kind: 'lost_parents', count: lostCount })
  if (skewedCount > 0) notes.push({ kind: 'clocks', count: skewedCount })
  if (aheadCount > 0) notes.push({ kind: 'clocks_ahead', count: aheadCount })
  if (cycleCount > 0) notes.push({ kind: 'cycles', count: cycleCount })
  const rate = Math.min(1, ...segments.map(({ segment }) => segment.sampleRate))
  if (rate < 1) notes.push({ kind: 'sampled', count: rate * 100 })
  if (!isWhole)
    notes.push({
      kind: 'segments',
      count: storedCount,
      shownCount: readCount,
      ...(storedCount >= limits.traceSegmentsCounted && { isAtLeast: true }),
    })
  const cutCount = nodes.length - limits.traceSpansShown
  if (cutCount > 0) notes.push({ kind: 'cut', count: cutCount })
  return notes
}

/**
 * True if it starts after it was received, and after its caller has ended, if that is stored. A job may start
 * long after the request that queued it, but not in the future.
 */
function isAhead(
  { span, parentAt }: TraceNode<ServiceSpan>,
  nodes: readonly TraceNode<ServiceSpan>[],
): boolean {
  if (!span.isSegment || span.startedAt <= span.receivedAt + limits.clockAheadMs) return false
  const parent = parentAt === undefined ? undefined : nodes[parentAt]?.span
  return parent === undefined || span.startedAt > endOf(parent)
}
