import { createHash } from 'node:crypto'
import type { JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import type { PerformanceProblem, ProblemKind } from '#traces/performance-problems.ts'
import { endOf, findAttribute, type Span, type TraceSegment } from '#traces/span.ts'
import { nameOfSegment } from '#traces/transaction-name.ts'
import type { ParsedEvent } from './event.ts'
import type { ProblemPace } from './problem-pace.ts'

/** Sentry's titles of these issues. */
const titles: Readonly<Record<ProblemKind, string>> = {
  n_plus_one_queries: 'N+1 Query',
  slow_query: 'Slow DB Query',
  n_plus_one_requests: 'N+1 API Call',
}

/** A performance problem of a project, found in a segment. */
export interface FoundProblem {
  problem: PerformanceProblem
  segment: TraceSegment
  projectId: number
  receivedAt: number
}

/**
 * The event for a problem: problems with the same text belong to one issue, in whatever trace they occur.
 * Undefined if the project has reached its limit for this minute. Its id is derived from its spans, so that
 * an envelope that is sent twice creates one event.
 */
export function toPerformanceEvent(
  { problem, segment, projectId, receivedAt }: FoundProblem,
  pace: ProblemPace | undefined,
): ParsedEvent | undefined {
  const { kind, text, source = '', spans } = problem
  const fingerprint = hashOf([kind, source, text])
  const eventId = hashOf([segment.traceId, spans[0].spanId, fingerprint])
  if (pace?.take({ projectId, fingerprint, eventId, at: receivedAt }) === false) return undefined
  const value = toPayload(problem, segment, { eventId, fingerprint })
  return { eventId, value, payload: Buffer.from(JSON.stringify(value)) }
}

function toPayload(
  { kind, text, source, spans, totalUs }: PerformanceProblem,
  segment: TraceSegment,
  { eventId, fingerprint }: { eventId: string; fingerprint: string },
): JsonObject {
  const [root] = segment.spans
  const [first] = spans
  const userId = findAttribute(root, 'user.id')
  const parentSpanId = first.parentSpanId ?? root.spanId
  return {
    event_id: eventId,
    type: 'performance',
    timestamp: Math.max(...spans.map(endOf)) / 1000,
    platform: segment.platform,
    level: 'info',
    ...(segment.environment !== '' && { environment: segment.environment }),
    ...(segment.release !== undefined && { release: segment.release }),
    transaction: nameOfSegment(segment),
    logentry: { formatted: `${titles[kind]}\n${text.slice(0, limits.problemTextCharacters)}` },
    fingerprint: ['performance', fingerprint],
    ...(userId !== undefined && { user: { id: String(userId) } }),
    contexts: {
      performance: {
        kind,
        text: text.slice(0, limits.problemTextCharacters),
        ...(source !== undefined && { source: source.slice(0, limits.problemTextCharacters) }),
        op: first.op,
        count: spans.length,
        total_ms: Math.round(totalUs / 10) / 100,
        longest_ms: Math.round(longestOf(spans) / 10) / 100,
        span_ids: spans.slice(0, limits.problemSpans).map(({ spanId }) => spanId),
      },
      trace: { trace_id: segment.traceId, span_id: parentSpanId, op: root.op },
    },
  }
}

function longestOf(spans: readonly Span[]): number {
  return Math.max(...spans.map(({ durationUs }) => durationUs))
}

function hashOf(parts: readonly string[]): string {
  return createHash('md5').update(parts.join('\0')).digest('hex')
}
