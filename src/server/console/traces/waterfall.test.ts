import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import type { TraceSegments } from '#server/store/traces/traces.ts'
import { dayMs } from '#time/time-steps.ts'
import type { Span } from '#traces/span.ts'
import { toTraceTree } from '#traces/trace-tree.ts'
import { toSmallTrace } from './small-trace.ts'
import { collectSpans, toNotes, toWaterfall } from './waterfall.ts'

const idOf = (name: number | string) => String(name).padStart(16, '0')

/** A root span of a service, called by another one. */
function call(name: number | string, parent: number | string, fields: Partial<Span> = {}): Span {
  return {
    traceId: 'a'.repeat(32),
    spanId: idOf(name),
    parentSpanId: idOf(parent),
    isSegment: true,
    op: 'http.server',
    name: String(name),
    status: 'ok',
    statusText: 'ok',
    startedAt: 1000,
    durationUs: 10_000,
    attributes: {},
    ...fields,
  }
}

const project = { id: 1, slug: 'web', name: 'Web' }

function found(spans: readonly Span[], fields: Partial<TraceSegments> = {}): TraceSegments {
  const segments = spans.map((span) => ({
    project,
    receivedAt: 2000,
    segment: {
      kind: 'transaction' as const,
      traceId: span.traceId,
      spans: [span] as const,
      transaction: span.name,
      transactionSource: 'route' as const,
      environment: '',
      platform: 'node',
      sampleRate: 1,
    },
  }))
  return { segments, storedCount: spans.length, readCount: spans.length, isWhole: true, ...fields }
}

const notesOf = (trace: TraceSegments) => toNotes(toTraceTree(collectSpans(trace.segments).spans), trace)

describe('the notes of a trace', () => {
  it('name parents that are not stored', () => {
    expect(notesOf(found([call(1, 'lost'), call(2, 1)]))).toEqual([{ kind: 'lost_parents', count: 1 }])
  })

  it('of a cycle do not say that its parents are not stored', () => {
    expect(notesOf(found([call(1, 2), call(2, 1)]))).toEqual([{ kind: 'cycles', count: 2 }])
  })

  it('name clocks that are behind the caller, and those that are ahead', () => {
    const caller = { ...call('caller', 'none'), parentSpanId: undefined }
    const notes = notesOf(
      found([
        caller,
        call('behind', 'caller', { startedAt: 900 }),
        call('ahead', 'caller', { startedAt: 1000 + 3650 * dayMs }),
        // A queued job, and one whose clock has a resolution of a minute.
        call('job', 'caller', { startedAt: 1500 }),
        call('soon', 'caller', { startedAt: 2500 }),
      ]),
    )
    expect(notes).toEqual([
      { kind: 'clocks', count: 1 },
      { kind: 'clocks_ahead', count: 1 },
    ])
  })

  it('name a clock that is ahead without its caller', () => {
    expect(notesOf(found([call('alone', 'lost', { startedAt: 1000 + dayMs })]))).toEqual([
      { kind: 'lost_parents', count: 1 },
      { kind: 'clocks_ahead', count: 1 },
    ])
  })

  it('do not report missing spans if some segments were not read', () => {
    const spans = [call(1, 'elsewhere')]
    const segments = { kind: 'segments', shownCount: 1 }
    expect(notesOf(found(spans, { storedCount: 231, isWhole: false }))).toEqual([{ ...segments, count: 231 }])
    const storedCount = limits.traceSegmentsCounted
    expect(notesOf(found(spans, { storedCount, isWhole: false }))).toEqual([
      { ...segments, count: storedCount, isAtLeast: true },
    ])
  })
})

it.each<[string, Partial<Span>, string]>([
  ['its description', { name: 'SELECT', description: 'SELECT 1' }, 'SELECT 1'],
  ['its name', { name: 'render' }, 'render'],
  [
    'its route after a method',
    { name: 'GET', attributes: { 'http.route': '/cart/:id', 'url.path': '/cart/7' } },
    'GET /cart/:id',
  ],
  ['the method alone', { name: 'GET' }, 'GET'],
  [
    'its URL after its method',
    { name: 'GET', description: 'http://orders/7', attributes: { 'http.request.method': 'GET' } },
    'GET http://orders/7',
  ],
])('a span is shown by %s', (_, fields, label) => {
  const { spans, services } = collectSpans(found([call(1, 2, fields)]).segments)
  expect(toWaterfall(toTraceTree(spans), services).rows).toMatchObject([{ label }])
})

it('the trace of an event marks its span, whose id may be written in upper case', () => {
  const event = { contexts: { trace: { span_id: idOf(0xab).toUpperCase() } } }
  expect(toSmallTrace(found([call(0xab, 2)]), event)).toMatchObject({ mark: { spanIds: [idOf(0xab)] } })
})

it('the trace of an event reports that it has more spans than were read', () => {
  const event = { contexts: { trace: { span_id: idOf(1) } } }
  expect(toSmallTrace(found([call(1, 2)], { storedCount: 9, isWhole: false }), event)).toMatchObject({
    spanCount: 1,
    hasMoreSpans: true,
    mark: { spanIds: [idOf(1)] },
  })
})
