import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Span } from './span.ts'
import { toTraceTree } from './trace-tree.ts'

const idOf = (name: number | string) => String(name).padStart(16, '0')

function span(name: number | string, fields: Partial<Span> = {}): Span {
  return {
    traceId: 'a'.repeat(32),
    spanId: idOf(name),
    isSegment: false,
    op: 'default',
    name: String(name),
    status: 'ok',
    statusText: 'ok',
    startedAt: 1000,
    durationUs: 10_000,
    attributes: {},
    ...fields,
  }
}

const below = (name: number | string) => ({ parentSpanId: idOf(name) })

describe('the tree of a trace', () => {
  it('has parents before children, and earlier spans before later ones', () => {
    const tree = toTraceTree([
      span('late', { ...below('root'), startedAt: 1004 }),
      span('leaf', { ...below('early'), startedAt: 1002 }),
      span('early', { ...below('root'), startedAt: 1001 }),
      span('root', { durationUs: 20_500 }),
    ])
    expect(
      tree.nodes.map(({ span: { name }, depth, descendantCount }) => [name, depth, descendantCount]),
    ).toEqual([
      ['root', 0, 3],
      ['early', 1, 1],
      ['leaf', 2, 0],
      ['late', 1, 0],
    ])
    expect([tree.startedAt, tree.durationUs, tree.cycleCount]).toEqual([1000, 20_500, 0])
  })

  it('shows a span once, and one whose parent is missing as a root', () => {
    const { nodes } = toTraceTree([span(1), span(1), span(2, below('missing'))])
    expect(nodes.map(({ span: { name }, depth, hasLostParent }) => [name, depth, hasLostParent])).toEqual([
      ['1', 0, false],
      ['2', 0, true],
    ])
  })

  it('shows the spans of a cycle', () => {
    const tree = toTraceTree([span(1, below(2)), span(2, below(1)), span(3, below(3)), span(4)])
    expect(tree.nodes).toHaveLength(4)
    expect(tree.cycleCount).toBe(3)
    // Every parent is present.
    expect(tree.nodes.filter(({ hasLostParent }) => hasLostParent)).toEqual([])
  })

  it('detects that clocks differ when a service starts before its caller', () => {
    const { nodes } = toTraceTree([
      span('caller'),
      span('ahead', { ...below('caller'), isSegment: true, startedAt: 900 }),
      span('page', { ...below('caller'), isSegment: true, startedAt: 900, op: 'pageload' }),
      span('right', { ...below('caller'), isSegment: true, startedAt: 1005 }),
    ])
    expect(nodes.filter(({ isSkewed }) => isSkewed).map((node) => node.span.name)).toEqual(['ahead'])
  })

  it('is built from 10,000 nested spans without exceeding the stack', () => {
    const spans = Array.from({ length: 10_000 }, (_, index) => span(index + 1, below(index)))
    expect(toTraceTree(spans).nodes.at(-1)?.depth).toBe(9_999)
  })

  it('shows every span exactly once, whatever parents they name', () => {
    const any = fc.record({
      id: fc.integer({ min: 1, max: 9 }),
      parent: fc.option(fc.integer({ min: 1, max: 12 })),
      startedAt: fc.integer({ min: 0, max: 5000 }),
    })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), (entries) => {
        const spans = entries.map(({ id, parent, startedAt }) =>
          span(id, { startedAt, ...(parent !== null && below(parent)) }),
        )
        const { nodes } = toTraceTree(spans)
        const ids = nodes.map((node) => node.span.spanId)
        expect(ids.toSorted((one, other) => (one < other ? -1 : 1))).toEqual(
          [...new Set(spans.map(({ spanId }) => spanId))].toSorted((one, other) => (one < other ? -1 : 1)),
        )
        const misplaced = nodes.filter(
          ({ parentAt, depth }, at) =>
            parentAt !== undefined && (parentAt >= at || nodes[parentAt]?.depth !== depth - 1),
        )
        expect(misplaced).toEqual([])
      }),
    )
  })
})
