import { endOf, type Span } from './span.ts'

/** A span of a trace, and its position in the tree. */
export interface TraceNode<Item extends Span = Span> {
  span: Item
  /** 0 for a root of the tree. */
  depth: number
  /** Index of its parent in the list; undefined for a root of the tree. */
  parentAt?: number
  /** Number of descendants. They follow it in the list. */
  descendantCount: number
  /** Its parent is missing. */
  hasLostParent: boolean
  /** It starts before its parent, which is in another service: their clocks differ. */
  isSkewed: boolean
}

/** The spans of a trace in the order of a waterfall. */
export interface TraceTree<Item extends Span = Span> {
  /** Parents before their children, earlier spans before later ones. */
  nodes: TraceNode<Item>[]
  /** The first start, in Unix milliseconds with a fraction. */
  startedAt: number
  /** From the first start to the last end. Microseconds. */
  durationUs: number
  /** Spans that are their own ancestors; they are shown as roots of the tree. */
  cycleCount: number
}

/**
 * Builds the tree of a trace. A span that was received twice appears once. A span with a missing parent is a
 * root of the tree, as is the first span of a cycle, so every span appears, for any input.
 */
export function toTraceTree<Item extends Span>(sent: readonly Item[]): TraceTree<Item> {
  const spans = new Map<string, Item>()
  for (const span of sent) if (!spans.has(span.spanId)) spans.set(span.spanId, span)
  const ordered = [...spans.values()].toSorted(byStart)
  const children = new Map<string | undefined, Item[]>()
  for (const span of ordered) {
    const key =
      span.parentSpanId !== undefined && spans.has(span.parentSpanId) ? span.parentSpanId : undefined
    const siblings = children.get(key)
    if (siblings === undefined) children.set(key, [span])
    else siblings.push(span)
  }
  const nodes: TraceNode<Item>[] = []
  const placed = new Set<string>()
  const placing = { nodes, placed, children, spans }
  for (const root of children.get(undefined) ?? []) place(placing, root)
  // Spans that no root leads to are in cycles, or below them.
  const before = nodes.length
  for (const span of ordered) if (!placed.has(span.spanId)) place(placing, span)
  countDescendants(nodes)
  const [first] = ordered
  const startedAt = first?.startedAt ?? 0
  const endedAt = ordered.reduce((end, span) => Math.max(end, endOf(span)), startedAt)
  return {
    nodes,
    startedAt,
    durationUs: Math.round((endedAt - startedAt) * 1000),
    cycleCount: nodes.length - before,
  }
}

function byStart(one: Span, other: Span): number {
  return one.startedAt - other.startedAt || other.durationUs - one.durationUs
}

interface Placing<Item extends Span> {
  nodes: TraceNode<Item>[]
  placed: Set<string>
  children: ReadonlyMap<string | undefined, readonly Item[]>
  /** All spans, by id. */
  spans: ReadonlyMap<string, Item>
}

/** Adds a span and its descendants. With an explicit stack, because a sender determines the depth. */
function place<Item extends Span>({ nodes, placed, children, spans }: Placing<Item>, root: Item): void {
  const stack: { span: Item; depth: number; parentAt?: number }[] = [{ span: root, depth: 0 }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { span, depth, parentAt } = next
    if (placed.has(span.spanId)) continue
    placed.add(span.spanId)
    const parent = parentAt === undefined ? undefined : nodes[parentAt]?.span
    const at = nodes.length
    nodes.push({
      span,
      depth,
      parentAt,
      descendantCount: 0,
      hasLostParent: span.parentSpanId !== undefined && !spans.has(span.parentSpanId),
      isSkewed: parent !== undefined && isSkewed(span, parent),
    })
    const below = children.get(span.spanId) ?? []
    for (let index = below.length - 1; index >= 0; index -= 1) {
      const child = below[index]
      if (child !== undefined) stack.push({ span: child, depth: depth + 1, parentAt: at })
    }
  }
}

/**
 * A page load starts before the request that the server answers it with, and within one service an SDK may
 * start a parent after its child.
 */
function isSkewed(span: Span, parent: Span): boolean {
  return span.isSegment && span.op !== 'pageload' && span.startedAt < parent.startedAt - 1
}

function countDescendants(nodes: readonly TraceNode[]): void {
  for (let at = nodes.length - 1; at > 0; at -= 1) {
    const node = nodes[at]
    const parent = node?.parentAt === undefined ? undefined : nodes[node.parentAt]
    if (node !== undefined && parent !== undefined) parent.descendantCount += node.descendantCount + 1
  }
}
