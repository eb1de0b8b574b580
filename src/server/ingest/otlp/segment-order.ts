/** A span of an OTLP request. Ids and names are as sent; empty if they are not strings. */
export interface ExportedSpan {
  traceId: string
  spanId: string
  /** Absent for a span without a parent. */
  parentSpanId?: string | undefined
  name: string
  isSegment: boolean
  /** Identifies the service: equal for the spans of one service. */
  service: string
  /** Its root span, if that is in the request. Set by `listTraces`. */
  segment?: ExportedSpan | undefined
}

/**
 * The spans of an OTLP request by trace: in each first the root spans, then all others by service, with their
 * root span. OpenTelemetry exports spans as they end, so children precede parents and traces are mixed, but
 * filters need root spans first.
 */
export function listTraces<Span extends ExportedSpan>(spans: readonly Span[]): Span[][] {
  return Map.groupBy(spans, ({ traceId }) => traceId)
    .values()
    .map((ofTrace) => {
      const { roots = [], others = [] } = Object.groupBy(ofTrace, ({ isSegment }) =>
        isSegment ? 'roots' : 'others',
      )
      addSegments(roots, others)
      return roots.concat(...Map.groupBy(others, ({ service }) => service).values())
    })
    .toArray()
}

/**
 * Finds the root span of each span, which may be processed in another part of the request. There is none for
 * a span that is its own ancestor, or whose ancestor is in another request.
 */
function addSegments(roots: readonly ExportedSpan[], others: readonly ExportedSpan[]): void {
  const segments = new Map<string | undefined, ExportedSpan | undefined>(
    roots.map((root) => [root.spanId, root] as const),
  )
  const parentIds = new Map<string | undefined, string | undefined>(
    others.map(({ spanId, parentSpanId }) => [spanId, parentSpanId]),
  )
  for (const span of others) {
    const path: (string | undefined)[] = []
    let at: string | undefined = span.spanId
    while (!segments.has(at) && parentIds.has(at)) {
      path.push(at)
      // Ends a cycle.
      segments.set(at, undefined)
      at = parentIds.get(at)
    }
    const segment = segments.get(at)
    for (const passed of path) segments.set(passed, segment)
    span.segment = segment
  }
}
