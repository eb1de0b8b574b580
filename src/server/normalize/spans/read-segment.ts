import { limits } from '#server/limits.ts'
import type { Span, TraceSegment } from '#traces/span.ts'

/** The context of spans. */
export interface SpanContext {
  /** Unix milliseconds. */
  receivedAt: number
  /** When the envelope was sent, by the clock that made the times of its spans. */
  sentAt?: number
  /** The envelope's trace header, which the sender fixed at the root of the trace. */
  sampleRate?: unknown
  userAgent?: string
}

/** Why spans were dropped: the reasons of their outcomes, `invalid`. */
export const spanProblems = ['invalid_transaction', 'invalid_span', 'too_many_spans'] as const

export type SpanProblem = (typeof spanProblems)[number]

/** The segments of an item, and how many spans were dropped. */
export interface ReadSpans {
  segments: TraceSegment[]
  dropped: Map<SpanProblem, number>
}

/** Counts dropped spans. */
export function drop(dropped: Map<SpanProblem, number>, problem: SpanProblem, count = 1): void {
  if (count > 0) dropped.set(problem, (dropped.get(problem) ?? 0) + count)
}

/**
 * Corrects the times of spans whose sender's clock was off when it sent them, as for events: by
 * `limits.clockDriftMs` or more.
 */
export function correctClock(spans: readonly Span[], { receivedAt, sentAt = receivedAt }: SpanContext): void {
  const driftMs = receivedAt - sentAt
  if (Math.abs(driftMs) < limits.clockDriftMs) return
  for (const span of spans) span.startedAt = Math.max(0, span.startedAt + driftMs)
}

/** The spans with their roots first; undefined if there are none. */
export function rootsFirst(spans: readonly Span[]): [Span, ...Span[]] | undefined {
  const [first, ...others] = [...spans.filter(isRoot), ...spans.filter((span) => !isRoot(span))]
  return first === undefined ? undefined : [first, ...others]
}

function isRoot({ isSegment }: Span): boolean {
  return isSegment
}
