import { limits } from '#server/limits.ts'
import type { Span, TraceSegment } from '#traces/span.ts'

/** The context of spans. */
export interface SpanContext {
  /** Unix milliseconds. */
  receivedAt: number
  /** The event id of the envelope's header. */
  eventId?: string | undefined
  /** When the envelope was sent, by the clock of the spans' times. */
  sentAt?: number
  /** The sample rate in the envelope's trace header, which the root of the trace has determined. */
  sampleRate?: unknown
  userAgent?: string
}

/** The reasons for dropping spans, whose outcome is `invalid`. */
export const spanProblems = ['invalid_transaction', 'invalid_span', 'too_many_spans'] as const

export type SpanProblem = (typeof spanProblems)[number]

/** The segments of an item, and the number of dropped spans. */
export interface ReadSpans {
  segments: TraceSegment[]
  dropped: Map<SpanProblem, number>
}

/** Counts dropped spans. */
export function drop(dropped: Map<SpanProblem, number>, problem: SpanProblem, count = 1): void {
  if (count > 0) dropped.set(problem, (dropped.get(problem) ?? 0) + count)
}

/**
 * Corrects the times of spans if the clock of their sender was off by at least `limits.clockDriftMs`, as for
 * events.
 */
export function correctClock(spans: readonly Span[], { receivedAt, sentAt = receivedAt }: SpanContext): void {
  const driftMs = receivedAt - sentAt
  if (Math.abs(driftMs) < limits.clockDriftMs) return
  for (const span of spans) span.startedAt = Math.max(0, span.startedAt + driftMs)
}

/** The spans with root spans first; undefined if there are none. */
export function rootsFirst(spans: readonly Span[]): [Span, ...Span[]] | undefined {
  const [first, ...others] = [...spans.filter(isRoot), ...spans.filter((span) => !isRoot(span))]
  return first === undefined ? undefined : [first, ...others]
}

function isRoot({ isSegment }: Span): boolean {
  return isSegment
}
