import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { TraceSegment } from '#traces/span.ts'
import { isCommonName, nameOfTransaction } from '#traces/transaction-name.ts'

/**
 * The names of recent page loads and navigations that their SDK names all alike. Sentry's SDK for browsers
 * sends their web vitals and late spans without their root span, which alone has the URL. Per process.
 */
export class PageNames {
  private readonly names = new BoundedMap<string, string>(limits.pageNames)

  /** Remembers the pages of a segment, and names those whose spans it has without their root span. */
  apply(projectId: number, segment: TraceSegment): TraceSegment {
    const keyOf = (spanId: string) => `${projectId} ${segment.traceId} ${spanId}`
    for (const root of segment.spans)
      if (root.isSegment && pageOps.has(root.op) && isCommonName(root.name))
        this.names.set(keyOf(root.spanId), nameOfTransaction(root, segment))
    const nameOf = (spanId: string | undefined, sent: string) =>
      spanId !== undefined && isCommonName(sent) ? (this.names.get(keyOf(spanId)) ?? sent) : sent
    const [{ isSegment, segmentId }] = segment.spans
    const others = [...(segment.otherTransactions ?? [])]
    return {
      ...segment,
      ...(!isSegment && { transaction: nameOf(segmentId, segment.transaction) }),
      ...(others.length > 0 && {
        otherTransactions: new Map(others.map(([spanId, name]) => [spanId, nameOf(spanId, name)])),
      }),
    }
  }
}

const pageOps: ReadonlySet<string> = new Set(['pageload', 'navigation'])
