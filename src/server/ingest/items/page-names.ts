import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { Db } from '#server/store/schema/database.ts'
import { findRootNames, type RootReference } from '#server/store/traces/root-names.ts'
import type { TraceSegment } from '#traces/span.ts'
import { isCommonName, nameOfTransaction } from '#traces/transaction-name.ts'

/**
 * The names of recent page loads and navigations that their SDK names all alike. Sentry's SDK for browsers
 * sends their web vitals and late spans without their root span, which alone has the URL. Per process.
 */
export class PageNames {
  private readonly names = new BoundedMap<string, string>(limits.pageNames)

  /**
   * Remembers the pages of a segment, and names those whose spans it has without their root span. Adds the
   * pages whose names are not remembered to `unknown`.
   */
  apply(projectId: number, segment: TraceSegment, unknown: RootReference[] = []): TraceSegment {
    const { traceId } = segment
    const keyOf = (spanId: string) => keyOfPage(projectId, { traceId, spanId })
    for (const root of segment.spans)
      if (root.isSegment && pageOps.has(root.op) && isCommonName(root.name))
        this.names.set(keyOf(root.spanId), nameOfTransaction(root, segment))
    const nameOf = (spanId: string | undefined, sent: string) => {
      if (spanId === undefined || !isCommonName(sent)) return sent
      const name = this.names.get(keyOf(spanId))
      if (name === undefined && pageNames.has(sent)) unknown.push({ traceId, spanId })
      return name ?? sent
    }
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

  /**
   * Remembers the names of pages whose root spans are stored: another process received them, or this one
   * before it was restarted. Returns whether there are any.
   */
  async learn(db: Db, projectId: number, unknown: readonly RootReference[]): Promise<boolean> {
    const roots = unknown.slice(0, limits.pagesLearned)
    const found = await findRootNames(db, { projectId, roots })
    for (const { name, ...root } of found) this.names.set(keyOfPage(projectId, root), name)
    return found.length > 0
  }
}

const pageOps: ReadonlySet<string> = new Set(['pageload', 'navigation'])

/** The names of all page loads and of all navigations in version 11 of Sentry's SDK. */
const pageNames: ReadonlySet<string> = new Set(['Pageload', 'Navigation'])

function keyOfPage(projectId: number, { traceId, spanId }: RootReference): string {
  return `${projectId} ${traceId} ${spanId}`
}
