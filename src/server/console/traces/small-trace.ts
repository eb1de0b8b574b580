import type { Event } from '#protocol/event.ts'
import { limits } from '#server/limits.ts'
import { listNamedSpans } from '#server/store/traces/named-spans.ts'
import type { TraceSegments } from '#server/store/traces/traces.ts'
import { parsePerformanceEvidence } from '#traces/performance-evidence.ts'
import { toTraceTree, type TraceNode, type TraceTree } from '#traces/trace-tree.ts'
import type { SmallTraceView } from './views.ts'
import { collectSpans, toWaterfall, type ServiceSpan } from './waterfall.ts'

/** The part of a trace around an event; undefined if none of its spans are stored. Modifies the segments. */
export function toSmallTrace(
  { segments, isWhole }: TraceSegments,
  { contexts }: Pick<Event, 'contexts'>,
): SmallTraceView | undefined {
  if (segments.length === 0) return undefined
  const { spans, services } = collectSpans(segments)
  const tree = toTraceTree(spans)
  const evidence = parsePerformanceEvidence(contexts['performance'])
  const spanIds = new Set(listNamedSpans(contexts))
  const markedAt = tree.nodes.flatMap(({ span }, at) => (spanIds.has(span.spanId) ? [at] : []))
  const kept = chooseNodes(tree, markedAt)
  const text =
    evidence === undefined
      ? ('this event' as const)
      : evidence.kind === 'slow_query'
        ? ('slow' as const)
        : ('repeated' as const)
  const marked = markedAt.flatMap((at) => tree.nodes[at]?.span.spanId ?? [])
  return {
    waterfall: toWaterfall({ ...tree, nodes: kept }, services),
    spanCount: tree.nodes.length,
    hasMoreSpans: !isWhole,
    ...(marked.length > 0 && { mark: { spanIds: marked, text } }),
  }
}

/**
 * The marked spans with the ancestors of the first, and of the adjacent spans the failed and the slowest
 * ones: `limits.smallTraceSpans` in total, in the order of the tree.
 */
function chooseNodes(
  { nodes }: TraceTree<ServiceSpan>,
  markedAt: readonly number[],
): TraceNode<ServiceSpan>[] {
  const chosen = new Set<number>()
  let at: number | undefined = markedAt[0] ?? 0
  while (at !== undefined && chosen.size < limits.smallTraceSpans) {
    chosen.add(at)
    at = nodes[at]?.parentAt
  }
  for (const marked of markedAt) if (chosen.size < limits.smallTraceSpans) chosen.add(marked)
  const others = nodes
    .map((node, position) => ({ node, position }))
    .filter(({ node, position }) => !chosen.has(position) && isNear(node, chosen))
    .toSorted((one, other) => weightOf(other.node) - weightOf(one.node))
  for (const { position } of others.slice(0, limits.smallTraceSpans - chosen.size)) chosen.add(position)
  const kept = [...chosen].toSorted((one, other) => one - other)
  return kept.flatMap((position) => {
    const node = nodes[position]
    if (node === undefined) return []
    const parentAt = node.parentAt === undefined ? -1 : kept.indexOf(node.parentAt)
    return Object.assign(node, { descendantCount: 0, parentAt: parentAt === -1 ? undefined : parentAt })
  })
}

/** True for a root of the tree, or a child of a chosen span. */
function isNear({ parentAt }: TraceNode, chosen: ReadonlySet<number>): boolean {
  return parentAt === undefined || chosen.has(parentAt)
}

function weightOf({ span }: TraceNode): number {
  return span.status === 'error' ? Number.MAX_SAFE_INTEGER : span.durationUs
}
