import { isJsonObject, type Json } from './json.ts'

/** What an event of a performance problem says about its spans, in the context `performance`. */
export interface PerformanceEvidence {
  kind: 'n_plus_one_queries' | 'slow_query' | 'n_plus_one_requests'
  /** What the spans do, without values. */
  text: string
  /** The query before the repeated ones. */
  source?: string
  spanCount: number
  /** Milliseconds of all spans. */
  totalMs: number
  longestMs: number
  /** 16 hex digits each; not all of very many. */
  spanIds: string[]
}

/** Parses the context; undefined unless it has the fields that Culvert writes. */
export function parsePerformanceEvidence(context: Json | undefined): PerformanceEvidence | undefined {
  if (!isJsonObject(context)) return undefined
  const { kind, text, source, count, total_ms: totalMs, longest_ms: longestMs, span_ids: ids } = context
  if (kind !== 'n_plus_one_queries' && kind !== 'slow_query' && kind !== 'n_plus_one_requests')
    return undefined
  if (typeof text !== 'string' || typeof count !== 'number') return undefined
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
