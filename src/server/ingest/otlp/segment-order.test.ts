import { describe, expect, it } from 'vitest'
import { listTraces, type ExportedSpan } from './segment-order.ts'

interface SentSpan {
  parent?: string
  isRoot?: boolean
  trace?: string
  service?: string
}

const span = (id: string, { parent, isRoot = false, trace = 't', service = '' }: SentSpan): ExportedSpan => ({
  traceId: trace,
  spanId: id,
  name: `name of ${id}`,
  parentSpanId: parent,
  isSegment: isRoot,
  service,
})

/** The spans in their order, each with the root span that it names. */
const segmentsOf = (spans: ExportedSpan[]) =>
  listTraces(spans)
    .flat()
    .map(({ spanId, segment }) => [spanId, segment?.spanId])

describe('the spans of an OTLP request', () => {
  it('are by trace, the root span first, and name it', () => {
    const spans = [
      span('query', { parent: 'function' }),
      span('other', { isRoot: true, trace: 'u' }),
      span('function', { parent: 'request' }),
      span('request', { isRoot: true }),
    ]
    expect(segmentsOf(spans)).toEqual([
      ['request', undefined],
      ['query', 'request'],
      ['function', 'request'],
      ['other', undefined],
    ])
  })

  it('belong to the nearest root span of their trace', () => {
    const spans = [
      span('page', { isRoot: true }),
      span('request', { isRoot: true, parent: 'fetch' }),
      span('fetch', { parent: 'page' }),
      span('query', { parent: 'request' }),
      span('elsewhere', { parent: 'page', trace: 'u' }),
    ]
    expect(segmentsOf(spans).slice(2)).toEqual([
      ['fetch', 'page'],
      ['query', 'request'],
      ['elsewhere', undefined],
    ])
  })

  it('are by service within their trace, after the root spans of all', () => {
    const spans = [
      span('query', { parent: 'request', service: 'shop' }),
      span('render', { parent: 'page' }),
      span('call', { parent: 'request', service: 'shop' }),
      span('fetch', { parent: 'page' }),
      span('request', { isRoot: true, parent: 'fetch', service: 'shop' }),
      span('page', { isRoot: true }),
    ]
    expect(segmentsOf(spans)).toEqual([
      ['request', undefined],
      ['page', undefined],
      ['query', 'request'],
      ['call', 'request'],
      ['render', 'page'],
      ['fetch', 'page'],
    ])
  })

  it('name none where a parent is not in the request, or a span is its own ancestor', () => {
    const spans = [
      span('a', { parent: 'b' }),
      span('b', { parent: 'a' }),
      span('self', { parent: 'self' }),
      span('late', { parent: 'missing' }),
      span('alone', {}),
    ]
    expect(segmentsOf(spans).filter(([, segment]) => segment !== undefined)).toEqual([])
  })

  it('are followed through ten thousand parents in little time', () => {
    const chain = Array.from({ length: 10_000 }, (_, at) => span(`${at}`, { parent: `${at + 1}` }))
    const ordered = segmentsOf([...chain, span('10000', { isRoot: true })])
    expect(new Set(ordered.slice(1).map(([, segment]) => segment))).toEqual(new Set(['10000']))
  })
})
