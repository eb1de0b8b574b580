import type { Span } from '#traces/span.ts'
import type { StoredSegment } from './records.ts'

/**
 * The segments of a trace without the spans of root spans that a filter dropped: these arrived in other
 * envelopes, before or after the root span. Markers of filtered root spans are left out, too.
 */
export function leaveOutFiltered(segments: readonly StoredSegment[]): StoredSegment[] {
  const marks = segments.filter(({ segment }) => segment.kind === 'filtered')
  if (marks.length === 0) return [...segments]
  const isOfFiltered = filteredOf(
    new Set(marks.map(({ segment }) => segment.spans[0].spanId)),
    segments.flatMap(({ segment }) => segment.spans),
  )
  return segments.flatMap((stored) => {
    if (stored.segment.kind === 'filtered') return []
    const [first, ...others] = stored.segment.spans.filter((span) => !isOfFiltered(span))
    return first === undefined ? [] : { ...stored, segment: { ...stored.segment, spans: [first, ...others] } }
  })
}

/**
 * The root span of a span, by its segment id or through its parents. Root spans of other services below a
 * filtered one are separate transactions.
 */
function filteredOf(filteredIds: ReadonlySet<string>, spans: readonly Span[]): (span: Span) => boolean {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const known = new Map<string, boolean>()
  return (span) => {
    const path: string[] = []
    let at: Span | undefined = span
    let isFiltered: boolean | undefined
    while (isFiltered === undefined) {
      if (at === undefined || at.isSegment) isFiltered = false
      else if (at.segmentId !== undefined) isFiltered = filteredIds.has(at.segmentId)
      else if (at.parentSpanId === undefined) isFiltered = false
      else if (filteredIds.has(at.parentSpanId)) isFiltered = true
      else {
        isFiltered = known.get(at.spanId)
        if (isFiltered !== undefined) break
        path.push(at.spanId)
        // Ends a cycle.
        known.set(at.spanId, false)
        at = byId.get(at.parentSpanId)
      }
    }
    for (const id of path) known.set(id, isFiltered)
    return isFiltered
  }
}
