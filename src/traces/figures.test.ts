import { describe, expect, it } from 'vitest'
import { resultOf } from '#test/last-step.ts'
import { toFigures as toFigureSteps } from './figures.ts'
import { groupOfSpan } from './span-group.ts'
import type { Span, SpanAttributes, TraceSegment, TransactionSource } from './span.ts'
import { scrubSql } from './sql-text.ts'
import { nameOfSegment, nameOfTransaction, nameOfUnseenTransaction } from './transaction-name.ts'
import { parametrizePath, splitUrl } from './url-text.ts'

const toFigures = (segment: TraceSegment, maxCount = 100) =>
  resultOf(toFigureSteps(segment, { maxCount, scrubSql }))

const traceId = 'a'.repeat(32)
let spanCount = 0

function spanOf(op: string, name: string, fields: Partial<Span> = {}): Span {
  spanCount += 1
  return {
    traceId,
    spanId: spanCount.toString(16).padStart(16, '0'),
    isSegment: false,
    op,
    name,
    status: 'ok',
    statusText: 'ok',
    startedAt: 1_000,
    durationUs: 1_000,
    attributes: {},
    ...fields,
  }
}

function rootOf(op: string, name: string, fields: Partial<Span> = {}): Span {
  const root = spanOf(op, name, { isSegment: true, ...fields })
  return { ...root, segmentId: root.spanId }
}

function segmentOf(
  [first, ...others]: readonly [Span, ...Span[]],
  transactionSource: TransactionSource = 'route',
): TraceSegment {
  return {
    kind: 'transaction',
    traceId,
    spans: [first, ...others],
    transaction: first.name,
    transactionSource,
    environment: 'production',
    release: 'shop@1',
    platform: 'node',
    sampleRate: 0.25,
  }
}

function nameOfService(service: string, kind: TraceSegment['kind'] = 'spans'): string {
  const attributes = { 'http.route': '/users/:id', 'service.name': service }
  return nameOfSegment({ ...segmentOf([rootOf('http.server', 'GET', { attributes })]), kind })
}

function nameOf(name: string, source: TransactionSource, fields: Partial<Span> = {}): string {
  const root = rootOf('http.server', name, fields)
  return nameOfTransaction(root, segmentOf([root], source))
}

describe('the name of a transaction', () => {
  it.each([
    ['GET /users/$id', 'route', 'GET /users/$id'],
    ['/users/17?tab=a#b', 'url', '/users/*'],
    ['/orders/2026-11-26/3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'url', '/orders/*/*'],
    ['/a/v2/deadbeefdeadbeefdeadbeef', 'unknown', '/a/v2/*'],
    ['GET https://user:secret@shop.example/cart/7', 'url', 'GET https://shop.example/cart/*'],
    ['job 4711', 'task', 'job 4711'],
    ['', 'unknown', ''],
  ] as const)('%s from %s', (sent, source, name) => {
    expect(nameOf(sent, source)).toBe(name)
  })

  it('is the route or the path if the name is only the method', () => {
    expect(nameOf('GET', 'custom', { attributes: { 'http.route': '/users/:id' } })).toBe('GET /users/:id')
    expect(nameOf('GET', 'url', { attributes: { 'url.path': '/users/77' } })).toBe('GET /users/*')
    expect(nameOf('Page', 'component', { description: 'Page Server Component (/cart)' })).toBe(
      'Page Server Component (/cart)',
    )
    expect(nameOf('GET', 'custom')).toBe('GET')
    const url = { 'url.full': 'https://shop.example/users/77?a=b' }
    const described = { description: url['url.full'], attributes: url }
    expect(nameOf('GET', 'custom', described)).toBe('GET /users/*')
    expect(nameOf('HTTP POST', 'custom', { attributes: { 'url.path': '/users/77' } })).toBe('POST /users/*')
  })

  it('begins with the service that OpenTelemetry names, even without the root span', () => {
    expect(nameOfService('orders')).toBe('orders: GET /users/:id')
    expect(nameOfService('unknown_service:node')).toBe('GET /users/:id')
    expect(nameOfService('s'.repeat(300))).toBe(`${'s'.repeat(100)}: GET /users/:id`)
    expect(nameOfService('orders', 'transaction')).toBe('GET /users/:id')
    const query = spanOf('db', 'SELECT 1', { attributes: { 'service.name': 'orders' } })
    const part = { ...segmentOf([query]), kind: 'spans', transaction: 'GET /users/:id' } as const
    expect(nameOfSegment(part)).toBe('orders: GET /users/:id')
    expect(nameOfSegment({ ...part, transaction: '' })).toBe('')
  })

  it('of a server function is that of its child span', () => {
    const hash = 'a1b2'.repeat(16)
    const root = rootOf('http.server', `POST /_serverFn/${hash}`)
    const child = (name: string, op = 'function.tanstackstart') =>
      spanOf(op, name, { parentSpanId: root.spanId })
    const nameWith = (...children: Span[]) => nameOfTransaction(root, segmentOf([root, ...children]))
    expect(nameWith(child('POST /_serverFn/greet'))).toBe('POST /_serverFn/greet')
    expect(nameWith(child('greet'))).toBe('POST /_serverFn/greet')
    expect(nameWith(child(`POST /_serverFn/${hash}`))).toBe('POST /_serverFn/*')
    expect(nameWith()).toBe('POST /_serverFn/*')
  })

  it('is truncated', () => {
    expect(nameOf('x'.repeat(5000), 'custom')).toHaveLength(200)
    expect(nameOf(`/${'x/'.repeat(5000)}`, 'url')).toHaveLength(200)
  })
})

describe('the group of a span', () => {
  it.each([
    ['db', 'SELECT a FROM t WHERE id IN (1, 2)', {}, 'db', 'SELECT a FROM t WHERE id IN (%s)'],
    ['db', 'SELECT t', { 'db.query.text': 'select 1' }, 'db', 'select %s'],
    ['db.redis', 'GET user:17', {}, 'db', 'GET *'],
    ['db', 'pg-pool.connect', {}, 'db', 'pg-pool.connect'],
    ['http.client', 'GET https://API.example.com:8443/a/b?c', {}, 'http', 'GET https://api.example.com:8443'],
    ['http.client', 'POST http://10.1.2.3:80/a', {}, 'http', 'POST http://*.*.*.*:80'],
    ['http.client', '/api/users/17', { 'http.method': 'PUT' }, 'http', 'PUT /api/users/*'],
    ['cache.get', 'user:17', {}, 'cache', 'cache.get'],
    ['queue.process', 'a', { 'messaging.destination.name': 'mails' }, 'queue', 'queue.process mails'],
    [
      'queue.receive',
      'a',
      { 'messaging.destination.name': 'amq.gen-7', 'messaging.destination.temporary': true },
      'queue',
      'queue.receive (temporary)',
    ],
    [
      'resource.script',
      'https://cdn.example/assets/index-Dx81b2.js',
      {},
      'resource',
      'script https://cdn.example/assets/*.js',
    ],
    ['middleware.tanstackstart', 'authMiddleware', {}, 'middleware', 'authMiddleware'],
    ['ui.react.render', '<Cart>', {}, 'ui', 'ui.react.render'],
    ['__proto__', 'x', {}, 'other', '__proto__'],
  ] as [string, string, SpanAttributes, string, string][])(
    '%s %s',
    (...[op, name, attributes, category, text]) => {
      expect(groupOfSpan(spanOf(op, name, { attributes }), scrubSql)).toEqual({ category, text })
    },
  )
})

function textOf(query: string, attributes: SpanAttributes = {}): string {
  return groupOfSpan(spanOf('db', query, { description: query, attributes }), scrubSql).text
}

describe('the group of a span with a long text', () => {
  const columns = Array.from({ length: 20 }, (_, index) => `orders.column_of_${'abcdefghij'[index % 10]}`)
  const start = `SELECT ${columns.join(', ')} FROM orders WHERE`

  it('differs if only the conditions differ, and shows them', () => {
    const texts = ['id = 1', 'shop_id = 2', 'shop_id = 3', 'state = 4 LIMIT 10'].map((condition) =>
      textOf(`${start} ${condition}`),
    )
    expect(new Set(texts).size).toBe(3)
    expect(texts[1]).toBe(texts[2])
    expect(texts[0]).toMatch(/^SELECT orders.column_of_a, .* … .* FROM orders WHERE id = %s #[\da-z]+$/)
    for (const text of texts) expect(text).toHaveLength(200)
  })

  it('differs if only the middle differs', () => {
    const names = Array.from({ length: 2_000 }, (_, index) =>
      `${index}`.replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit))),
    )
    const texts = names.map((name) => textOf(`${start} c_${name} = 1 AND ${columns.join(' = 2 AND ')} = 3`))
    expect(new Set(texts).size).toBe(names.length)
  })

  it('is that of the whole query if its attribute is truncated', () => {
    const long = `${start} ${columns.join(' = 1 AND ')} = 1 AND`
    const attributes = { 'db.query.text': `${long.slice(0, 400)}…` }
    expect(textOf(`${long} id = 1`, attributes)).not.toBe(textOf(`${long} state = 1`, attributes))
    expect(textOf(`${long} id = 1`, attributes)).toBe(textOf(`${long} id = 1`))
  })
})

describe('figures of a segment', () => {
  it('have each root span with its release, and all others by group and transaction', () => {
    const root = rootOf('http.server', 'GET /a', {
      status: 'error',
      statusText: 'internal_error',
      durationUs: 9_000,
    })
    const query = (id: number) =>
      spanOf('db', `SELECT * FROM t WHERE id = ${id}`, { segmentId: root.spanId, durationUs: id })
    expect(toFigures(segmentOf([root, query(1), query(2), query(3)]))).toEqual([
      {
        kind: 'transaction',
        name: 'GET /a',
        op: 'http.server',
        facet: 'production',
        release: 'shop@1',
        count: 1,
        weight: 4,
        failureCount: 1,
        goodCount: 0,
        sum: 9_000,
        values: [9_000],
      },
      {
        kind: 'span',
        name: 'SELECT * FROM t WHERE id = %s',
        op: 'db',
        facet: 'GET /a\nhttp.server',
        count: 3,
        weight: 12,
        failureCount: 0,
        goodCount: 0,
        sum: 6,
        values: [1, 2, 3],
      },
    ])
  })

  it('count no failure for cancelled and unknown ones', () => {
    for (const statusText of ['cancelled', 'unknown'])
      expect(toFigures(segmentOf([rootOf('task', 'a', { status: 'error', statusText })]))).toMatchObject([
        { failureCount: 0 },
      ])
  })

  it('have web vitals of page loads and of interactions, by device', () => {
    const attributes = {
      'browser.web_vital.lcp.value': 2400,
      'browser.web_vital.cls.value': 0.3,
      'browser.web_vital.fcp.value': -1,
      'browser.web_vital.ttfb.value': 1e9,
      'user_agent.original': 'Mozilla/5.0 (iPhone)',
    }
    const vitals = toFigures(segmentOf([rootOf('pageload', '/cart', { attributes })])).filter(
      ({ kind }) => kind === 'vital',
    )
    expect(vitals).toMatchObject([
      { name: '/cart', facet: 'lcp mobile', goodCount: 1, failureCount: 0, values: [2_400_000] },
      { name: '/cart', facet: 'cls mobile', goodCount: 0, failureCount: 1, values: [300_000] },
    ])
    const click = spanOf('ui.interaction.click', 'button', {
      attributes: { 'browser.web_vital.inp.value': 250 },
    })
    expect(toFigures({ ...segmentOf([click]), transaction: '/cart' })).toMatchObject([
      { kind: 'vital', name: '/cart', facet: 'inp unknown', goodCount: 0, failureCount: 0 },
    ])
  })

  it('name spans by the transaction in their attributes if its root span is in another envelope', () => {
    const query = spanOf('db', 'SELECT 1', { segmentId: 'f'.repeat(16) })
    expect(toFigures({ ...segmentOf([query]), transaction: '/users/17' })).toMatchObject([
      { facet: '/users/*' },
    ])
  })

  it('name spans by their own transaction, of several in a request', () => {
    const first = rootOf('http.server', 'GET /a')
    const second = rootOf('queue.process', 'mails', { parentSpanId: 'e'.repeat(16) })
    const unseenId = 'd'.repeat(16)
    // One names its root span, one is below it, one names a root span in another request, one names nothing.
    const named = spanOf('db', 'SELECT a', { segmentId: second.spanId })
    const below = spanOf('function', 'inner', { parentSpanId: second.spanId })
    const deeper = spanOf('db', 'SELECT b', { parentSpanId: below.spanId })
    const unseen = spanOf('db', 'SELECT c', { segmentId: unseenId })
    const lost = spanOf('db', 'SELECT d', { parentSpanId: 'c'.repeat(16) })
    const cycle = spanOf('db', 'SELECT e')
    const spans = [
      deeper,
      first,
      second,
      named,
      below,
      unseen,
      lost,
      { ...cycle, parentSpanId: cycle.spanId },
    ]
    const [head = first, ...others] = spans.toSorted(
      (one, other) => Number(other.isSegment) - Number(one.isSegment),
    )
    const segment = segmentOf([head, ...others])
    const facets = toFigures({ ...segment, otherTransactions: new Map([[unseenId, '/users/17']]) }).flatMap(
      ({ kind, name, facet }) => (kind === 'span' ? [[name, facet]] : []),
    )
    expect(Object.fromEntries(facets)).toEqual({
      'SELECT a': 'mails\nqueue.process',
      'SELECT b': 'mails\nqueue.process',
      inner: 'mails\nqueue.process',
      'SELECT c': '/users/*',
      'SELECT d': 'GET /a\nhttp.server',
      'SELECT e': 'GET /a\nhttp.server',
    })
  })

  it('have one name per category for spans beyond the highest number of names', () => {
    const hosts = Array.from({ length: 50 }, (_, index) =>
      spanOf('http.client', `GET https://${'h'.repeat(index + 1)}/`),
    )
    const figures = toFigures(segmentOf([rootOf('task', 'a'), ...hosts]), 10)
    expect(figures).toHaveLength(11)
    expect(figures.at(-1)).toMatchObject({ name: '<other>', op: 'http', count: 41 })
  })

  it('are computed from any texts in little time', () => {
    const parts = [
      '/',
      "'",
      '"',
      '1',
      'a',
      '?',
      '#',
      '@',
      ':',
      'https://',
      'SELECT ',
      '(',
      ',',
      '\0',
      '\\',
      '-',
      '\u{d800}',
    ]
    let state = 1
    const next = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return (state >>> 8) % below
    }
    const text = () =>
      Array.from({ length: next(40) }, () => (parts[next(parts.length)] ?? '').repeat(1 + next(50))).join('')
    for (let run = 0; run < 3_000; run += 1) {
      const root = rootOf(['http.server', 'pageload', text()][next(3)] ?? '', text(), { description: text() })
      const spans = ['db', 'http.client', 'resource.img', 'middleware', text()].map((op) =>
        spanOf(op, text()),
      )
      const figures = toFigures(segmentOf([root, ...spans], next(2) === 0 ? 'url' : 'unknown'))
      for (const { name } of figures) expect(name.length).toBeLessThanOrEqual(200)
      nameOfUnseenTransaction(segmentOf([root]))
    }
    for (const part of parts) {
      const started = process.cpuUsage().user
      const { path } = splitUrl(part.repeat(100_000))
      parametrizePath(path)
      expect(process.cpuUsage().user - started).toBeLessThan(2_000_000)
    }
  })
})
