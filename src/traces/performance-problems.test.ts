import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resultOf } from '#test/last-step.ts'
import { findPerformanceProblems, type ProblemThresholds } from './performance-problems.ts'
import { spansPerStep, type Span, type TraceSegment } from './span.ts'
import { createSqlScrubber } from './sql-text.ts'

const thresholds: ProblemThresholds = {
  nPlusOneQueries: { isOn: true, count: 5, totalMs: 50 },
  slowQueries: { isOn: true, durationMs: 500 },
  nPlusOneRequests: { isOn: true, count: 5, totalMs: 300 },
}

const traceId = 'a'.repeat(32)
const rootId = 'f'.repeat(16)

/** A span of 20 ms at a time, in milliseconds, under the root. */
function spanOf(op: string, description: string, fields: Partial<Span> & { startedAt: number }): Span {
  return {
    traceId,
    spanId: (Math.round(fields.startedAt * 10) + 1).toString(16).padStart(16, '0'),
    parentSpanId: rootId,
    isSegment: false,
    op,
    name: description,
    description,
    status: 'ok',
    statusText: 'ok',
    durationUs: 20_000,
    attributes: {},
    ...fields,
  }
}

function segmentOf(op: string, spans: readonly Span[]): TraceSegment {
  const root = {
    ...spanOf(op, 'GET /orders', { startedAt: 0 }),
    spanId: rootId,
    parentSpanId: undefined,
    isSegment: true,
  }
  return {
    kind: 'transaction',
    traceId,
    spans: [root, ...spans],
    transaction: 'GET /orders',
    transactionSource: 'route',
    environment: '',
    platform: op === 'pageload' ? 'javascript' : 'node',
    sampleRate: 1,
  }
}

const find = (segment: TraceSegment, changed: Partial<ProblemThresholds> = {}) =>
  findUpTo(10, segment, { ...thresholds, ...changed })

const findUpTo = (maxCount: number, segment: TraceSegment, limits = thresholds) =>
  resultOf(findPerformanceProblems(segment, limits, { maxCount, scrubSql: createSqlScrubber() }))

const orders = spanOf('db', 'SELECT * FROM orders WHERE user_id = $1', { startedAt: 10 })
const itemQueries = (count: number, fields: Partial<Span> = {}) =>
  Array.from({ length: count }, (_, at) =>
    spanOf('db.query', `SELECT * FROM items WHERE order_id = ${at}`, { startedAt: 40 + at * 30, ...fields }),
  )
const requests = (count: number, stepMs: number, path = '/api/items') =>
  Array.from({ length: count }, (_, at) =>
    spanOf('http.client', `GET https://shop.example${path}/${at + 10}`, {
      startedAt: 40 + at * stepMs,
      durationUs: 100_000,
    }),
  )

/** The fields of queries without SQL text. */
const nameless = (table: string) => ({
  description: undefined,
  name: 'SELECT',
  attributes: { 'db.collection.name': table, 'db.namespace': 'shop' },
})
const named = (name: string) => ({ description: undefined, name })

describe('N+1 queries', () => {
  it('finds a query that runs for each row of the query before it', () => {
    const [problem, ...others] = find(segmentOf('http.server', [orders, ...itemQueries(6)]))
    expect(others).toEqual([])
    expect(problem).toMatchObject({
      kind: 'n_plus_one_queries',
      source: 'SELECT * FROM orders WHERE user_id = %s',
      text: 'SELECT * FROM items WHERE order_id = %s',
      totalUs: 120_000,
    })
    expect(problem?.spans).toHaveLength(6)
  })

  it('finds them whatever their order in the envelope, and with other spans in between', () => {
    const spans = [...itemQueries(5).toReversed(), orders, spanOf('function', 'toView', { startedAt: 75 })]
    expect(find(segmentOf('http.server', spans))).toHaveLength(1)
  })

  it('finds them with connections and transactions in between, as drivers report them', () => {
    const between = itemQueries(6).flatMap(({ startedAt }) => [
      spanOf('db', 'pg-pool.connect', { startedAt: startedAt - 3, durationUs: 1_000 }),
      spanOf('db', 'pg.connect', { startedAt: startedAt - 2, durationUs: 1_000 }),
      spanOf('db', 'BEGIN', { startedAt: startedAt - 1, durationUs: 100 }),
      spanOf('db', 'COMMIT', { startedAt: startedAt + 22, durationUs: 100 }),
    ])
    const queries = itemQueries(6).map((query) =>
      Object.assign(query, {
        attributes: { 'db.system.name': 'postgresql', 'db.namespace': 'shop', 'db.query.text': query.name },
        name: 'pg.query:SELECT shop',
      }),
    )
    expect(find(segmentOf('http.server', [orders, ...between, ...queries]))).toMatchObject([
      {
        source: 'SELECT * FROM orders WHERE user_id = %s',
        text: 'SELECT * FROM items WHERE order_id = %s',
        spans: { length: 6 },
      },
    ])
  })

  it('finds them if a mapper reports each of its calls as spans around one query', () => {
    const calls = itemQueries(6).flatMap((query, at) => {
      const [outer, inner] = [`${at}`.padStart(16, 'a'), `${at}`.padStart(16, 'b')]
      return [
        { ...query, op: 'default', name: 'client:operation', spanId: outer },
        { ...query, op: 'default', name: 'engine:query', spanId: inner, parentSpanId: outer },
        { ...query, parentSpanId: inner },
      ]
    })
    expect(find(segmentOf('http.server', [orders, ...calls]))).toMatchObject([{ spans: { length: 6 } }])
  })

  it('finds them by their operation and table if they have no text', () => {
    const spans = [{ ...orders, ...nameless('orders') }, ...itemQueries(6, nameless('items'))]
    expect(find(segmentOf('http.server', spans))).toMatchObject([
      { source: 'SELECT orders', text: 'SELECT items', spans: { length: 6 } },
    ])
    const others = [{ ...orders, ...named('SELECT orders') }, ...itemQueries(6, named('SELECT shop.items'))]
    expect(find(segmentOf('http.server', others))).toMatchObject([{ text: 'SELECT shop.items' }])
  })

  it.each<[string, Span[]]>([
    [
      'statements of which only the database is known',
      [
        orders,
        ...itemQueries(6, {
          description: undefined,
          name: 'pg.query:SELECT shop',
          attributes: { 'db.namespace': 'shop' },
        }),
      ],
    ],
    [
      'only the beginning of a transaction before them',
      [spanOf('db', 'BEGIN', { startedAt: 10 }), ...itemQueries(8)],
    ],
    ['too few', [orders, ...itemQueries(4)]],
    ['together too short', [orders, ...itemQueries(6, { durationUs: 5_000 })]],
    ['no query before them', itemQueries(8)],
    [
      'interrupted by another query',
      [orders, ...itemQueries(6), spanOf('db', 'SELECT 1 FROM a', { startedAt: 105 })],
    ],
    [
      'under different parents',
      [
        orders,
        ...itemQueries(6).map((span, at) => Object.assign(span, { parentSpanId: `${at}`.padStart(16, '0') })),
      ],
    ],
    ['changes of rows', [orders, ...itemQueries(6, { description: 'INSERT INTO log VALUES (1)' })]],
    ['commands of Redis', [orders, ...itemQueries(6, { op: 'db.redis' })]],
  ])('leaves out: %s', (_, spans) => {
    expect(find(segmentOf('http.server', spans))).toEqual([])
  })

  it('is switched off, and has other thresholds, by settings', () => {
    const segment = segmentOf('http.server', [orders, ...itemQueries(6)])
    expect(find(segment, { nPlusOneQueries: { isOn: false, count: 5, totalMs: 50 } })).toEqual([])
    expect(find(segment, { nPlusOneQueries: { isOn: true, count: 7, totalMs: 50 } })).toEqual([])
    expect(find(segment, { nPlusOneQueries: { isOn: true, count: 6, totalMs: 121 } })).toEqual([])
  })
})

describe('slow queries', () => {
  it('finds each text once, with all its spans', () => {
    const slow = itemQueries(3, { durationUs: 500_000 })
    const problems = find(segmentOf('http.server', [...slow, spanOf('db', 'COMMIT', { startedAt: 900 })]))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ kind: 'slow_query', text: 'SELECT * FROM items WHERE order_id = %s' })
    expect(problems[0]?.spans).toHaveLength(3)
  })

  it('finds those without a text by their name', () => {
    const slow = spanOf('db', 'pg.query:SELECT shop', { startedAt: 10, durationUs: 900_000 })
    expect(find(segmentOf('http.server', [slow]))).toMatchObject([{ text: 'SELECT shop' }])
  })

  it.each([
    ['pg.connect', 'a connection'],
    ['BEGIN', 'the beginning of a transaction'],
  ])('leaves out %s: %s', (text) => {
    expect(
      find(segmentOf('http.server', [spanOf('db', text, { startedAt: 10, durationUs: 9_000_000 })])),
    ).toEqual([])
  })
})

describe('N+1 API calls', () => {
  it('finds requests that differ in values and start together', () => {
    const [problem] = find(segmentOf('pageload', requests(6, 5)))
    expect(problem).toMatchObject({
      kind: 'n_plus_one_requests',
      text: 'GET https://shop.example/api/items/*',
    })
    expect(problem?.spans).toHaveLength(6)
  })

  it('finds values in the query, wherever the SDK has it', () => {
    const spans = Array.from({ length: 5 }, (_, at) =>
      spanOf('http.client', 'GET /api/items', {
        startedAt: 40 + at,
        durationUs: 100_000,
        attributes: { 'http.query': `?id=${at}&full` },
      }),
    )
    expect(find(segmentOf('navigation', spans))[0]?.text).toBe('GET /api/items?full&id')
  })

  it.each<[string, TraceSegment]>([
    ['one after another', segmentOf('pageload', requests(6, 20))],
    ['too few', segmentOf('pageload', requests(4, 5))],
    ['of a server', segmentOf('http.server', requests(6, 5))],
    ['files', segmentOf('pageload', requests(6, 5, '/_next/data'))],
    [
      'one URL',
      segmentOf(
        'pageload',
        requests(6, 5).map((span) => Object.assign(span, { description: 'GET /api/items/12' })),
      ),
    ],
  ])('leaves out: %s', (_, segment) => {
    expect(find(segment)).toEqual([])
  })
})

const anySpan = fc
  .record({
    op: fc.constantFrom('db', 'db.query', 'db.redis', 'http.client', 'function', ''),
    description: fc.oneof(
      fc.constantFrom('SELECT a FROM b WHERE c = 1', 'GET /a/12', "SELECT '", 'GET http://[::1', 'GET ?=&&'),
      fc.string({ unit: 'binary' }),
    ),
    startedAt: fc.integer({ min: 0, max: 30 }),
    durationUs: fc.constantFrom(0, 20_000, 600_000, Number.MAX_SAFE_INTEGER),
    parentSpanId: fc.constantFrom(undefined, rootId, '1'.repeat(16)),
  })
  .map(({ op, description, startedAt, ...fields }) => spanOf(op, description, { startedAt, ...fields }))

describe('many spans', () => {
  it('are read with pauses', () => {
    const queries = Array.from({ length: 2_000 }, (_, at) =>
      spanOf('db', `SELECT c${String.fromCodePoint(97 + at)} FROM a`, { startedAt: at, durationUs: 600_000 }),
    )
    const context = { maxCount: 10, scrubSql: createSqlScrubber() }
    const steps = findPerformanceProblems(segmentOf('http.server', queries), thresholds, context)
    // For repeated and for slow queries.
    expect(steps.toArray()).toHaveLength((2 * queries.length) / spansPerStep)
  })
})

describe('any spans', () => {
  it('never throws, is bounded, and has the same result for any order of arrival', () => {
    fc.assert(
      fc.property(
        fc.array(anySpan, { maxLength: 40 }),
        fc.constantFrom('pageload', 'http.server'),
        (sent, op) => {
          // Spans with equal starts have no defined order.
          const spans = sent.map((span, at) =>
            Object.assign(structuredClone(span), { startedAt: span.startedAt + at / 100 }),
          )
          const found = findUpTo(3, segmentOf(op, spans))
          expect(found.length).toBeLessThanOrEqual(3)
          const texts = (problems: typeof found) =>
            problems.map(({ kind, text, source, spans: own }) => [kind, text, source, own.length])
          const all = findUpTo(1_000, segmentOf(op, spans))
          const reversed = findUpTo(1_000, segmentOf(op, spans.toReversed()))
          expect(new Set(texts(all).map(String))).toEqual(new Set(texts(reversed).map(String)))
        },
      ),
      { numRuns: 200 },
    )
  })
})
