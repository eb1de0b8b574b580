import { problemKinds, type ProblemKind } from './performance-problems.ts'

/** The context `performance` of an event of a performance problem, about its spans. */
export interface PerformanceEvidence {
  kind: ProblemKind
  /** The description of the spans, with placeholders for values. */
  text: string
  /** The query before the repeated ones. */
  source?: string
  spanCount: number
  /** Total milliseconds of the spans. */
  totalMs: number
  longestMs: number
  /** 16 hex digits each; limited to a number of spans. */
  spanIds: string[]
}

/** Parses the context; undefined unless it has the fields that Culvert writes. */
export function parsePerformanceEvidence(
  context: Readonly<Record<string, unknown>> | undefined,
): PerformanceEvidence | undefined {
  if (context === undefined) return undefined
  const { text, source, count, total_ms: totalMs, longest_ms: longestMs, span_ids: ids } = context
  const kind = problemKinds.find((each) => each === context['kind'])
  if (kind === undefined || typeof text !== 'string' || typeof count !== 'number') return undefined
  if (typeof totalMs !== 'number' || typeof longestMs !== 'number') return undefined
  const spanIds = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  return {
    kind,
    text,
    ...(typeof source === 'string' && { source }),
    spanCount: count,
    totalMs,
    longestMs,
    spanIds,
  }
}
