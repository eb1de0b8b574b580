import * as v from 'valibot'
import { afterAll, describe, expect, it } from 'vitest'
import { listDigestView } from '#server/console/events/events.ts'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, startApiServer } from '#test/api-server.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, otherProject } from '#test/start-server.ts'
import { viewerOfProject } from '#test/test-store.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'

const traceId = '5b8efff798038103d269b633813fc60c'
const checkoutId = '1a'.repeat(16)
const ordersId = '2b'.repeat(16)
const deepId = 'de'.repeat(16)
const spanId = (number: number) => number.toString(16).padStart(16, '0')
const at = Math.floor(Date.now() / 1000) - 10

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server))
// A page load in one project, the request it made in another one, its query, and the error of that request.
await send(fixtureProject, 'transaction', {
  event_id: checkoutId,
  transaction: '/checkout',
  start_timestamp: at,
  timestamp: at + 2,
  contexts: { trace: { trace_id: traceId, span_id: spanId(1), op: 'pageload' } },
  spans: [span('http.client', 2)],
})
await send(otherProject, 'transaction', {
  event_id: ordersId,
  transaction: 'POST /orders',
  start_timestamp: at + 0.25,
  timestamp: at + 0.75,
  contexts: {
    trace: {
      trace_id: traceId,
      span_id: spanId(3),
      parent_span_id: spanId(2),
      op: 'http.server',
      status: 'internal_error',
    },
  },
  spans: [span('db.query', 4)],
})
await send(otherProject, 'event', {
  message: 'the cart is gone',
  timestamp: at + 0.5,
  contexts: { trace: { trace_id: traceId, span_id: spanId(4) } },
})
const chain = Array.from({ length: 999 }, (_, index) => span('function', index + 2, { trace: deepId }))
await send(fixtureProject, 'transaction', {
  transaction: 'deep',
  start_timestamp: at,
  timestamp: at + 2,
  contexts: { trace: { trace_id: deepId, span_id: spanId(1), op: 'task' } },
  spans: chain,
})
afterAll(() => server.stop())

function span(op: string, id: number, { parent = id - 1, trace = traceId } = {}): object {
  return {
    trace_id: trace,
    span_id: spanId(id),
    parent_span_id: spanId(parent),
    op,
    description: `span ${id}`,
    start_timestamp: at + 0.25,
    timestamp: at + 0.75,
  }
}

async function send(
  project: { id: number; publicKey: string },
  type: 'event' | 'transaction',
  payload: Record<string, unknown>,
): Promise<void> {
  const { status } = await postEnvelope(server.origin, envelopeOf({}, [type, payload]), { project })
  expect(status).toBe(200)
}

const Table = v.object({
  data: v.array(v.record(v.string(), v.unknown())),
  meta: v.object({ fields: v.record(v.string(), v.string()) }),
})
const org = '/organizations/default'

describe('the table of transactions', () => {
  const table = `${org}/events/?dataset=transactions&statsPeriod=24h`

  const names = async (parameters: string) =>
    v.parse(Table, (await call(`${table}&field=transaction&${parameters}`)).json).data

  it('has the figures of each, those with most time first', async () => {
    // Folded a moment later.
    const count = async () => v.parse(Table, (await call(table)).json).data.length
    await expect.poll(count, { timeout: 20_000 }).toBe(3)
    const fields = ['transaction', 'project', 'transaction.op', 'count()', 'p95(transaction.duration)']
    const { status, json } = await call(`${table}&${fields.map((field) => `field=${field}`).join('&')}`)
    expect(status).toBe(200)
    const { data, meta } = v.parse(Table, json)
    expect(data.map(({ transaction }) => transaction)).toEqual(['/checkout', 'deep', 'POST /orders'])
    expect(data[2]).toMatchObject({ project: 'other', 'transaction.op': 'http.server', 'count()': 1 })
    expect(Number(data[2]?.['p95(transaction.duration)'])).toBeCloseTo(500, -2)
    expect(meta.fields).toMatchObject({ 'count()': 'integer', 'p95(transaction.duration)': 'duration' })
  })

  it('is searched by name, sorted and limited', async () => {
    expect(await names('query=event.type:transaction transaction:*orders*')).toEqual([
      { transaction: 'POST /orders' },
    ])
    expect(await names('sort=failure_rate()&project=other')).toEqual([{ transaction: 'POST /orders' }])
    expect(await names('sort=-transaction&per_page=1')).toEqual([{ transaction: 'deep' }])
    expect(await names('environment=nowhere')).toEqual([])
  })

  it.each(['field=user', 'field=count()&sort=title', 'query=release:1', 'query=a b'])(
    'rejects %s',
    async (parameters) => {
      expect((await call(`${table}&${parameters}`)).status).toBe(400)
    },
  )
})

/** A table as Grafana’s data source requests it. */
const spanRows = async (query: string, fields: readonly string[]) => {
  const parameters = new URLSearchParams({
    dataset: 'spans',
    useRpc: '1',
    query,
    start: new Date(Date.now() - hourMs).toISOString().slice(0, 19),
    end: new Date(Date.now() + minuteMs).toISOString().slice(0, 19),
    per_page: '100',
  })
  for (const field of fields) parameters.append('field', field)
  return v.parse(Table, (await call(`${org}/events/?${parameters}`)).json).data
}

describe('the table of spans', () => {
  it('has groups of spans by category, and their figures', async () => {
    const fields = ['span.op', 'span.description', 'count(span.duration)', 'p95(span.duration)']
    await expect.poll(() => spanRows('span.op:db', fields), { timeout: 20_000 }).toHaveLength(1)
    const [query] = await spanRows('span.op:db', fields)
    expect(query).toMatchObject({ 'span.op': 'db', 'span.description': 'span 4', 'count(span.duration)': 1 })
    expect(Number(query?.['p95(span.duration)'])).toBeCloseTo(500, -2)
    expect(await spanRows('span.description:nowhere', fields)).toEqual([])
  })

  it('has groups with an empty id for the default fields of the data source', async () => {
    const rows = await spanRows('span.op:db', ['id', 'span.op', 'span.description', 'count()'])
    expect(rows).toEqual([{ id: '', 'span.op': 'db', 'span.description': 'span 4', 'count()': 1 }])
  })

  it('has transactions for is_transaction:true', async () => {
    const named = await spanRows('is_transaction:true orders', ['transaction', 'count()'])
    expect(named).toEqual([{ transaction: 'POST /orders', 'count()': 1 }])
  })

  it('has no rows of single spans, and rejects unsupported searches', async () => {
    expect(await spanRows('', ['id', 'span.op', 'span.duration'])).toEqual([])
    const path = `${org}/events/?dataset=spans&field=span.op&query=user.id:7`
    expect((await call(path)).status).toBe(400)
  })
})

describe('a trace', () => {
  it('is a tree of its spans over all projects, with its errors', async () => {
    const { status, json } = await call(`${org}/trace/${traceId}/?project=-1&limit=100`)
    expect(status).toBe(200)
    expect(json).toMatchObject([
      {
        event_id: spanId(1),
        is_transaction: true,
        op: 'pageload',
        project_slug: 'fixture',
        duration: 2000,
        children: [
          {
            description: 'span 2',
            children: [
              {
                name: 'POST /orders',
                project_slug: 'other',
                status: 'internal_error',
                parent_span_id: spanId(2),
                children: [{ op: 'db.query', errors: [{ title: 'the cart is gone' }], children: [] }],
              },
            ],
          },
        ],
      },
    ])
  })

  it('has its root spans below one another, each with its errors', async () => {
    const { json } = await call(`${org}/events-trace/${traceId.toUpperCase()}/`)
    expect(json).toMatchObject({
      orphan_errors: [],
      transactions: [
        {
          transaction: '/checkout',
          generation: 0,
          parent_event_id: null,
          'transaction.duration': 2000,
          errors: [],
          children: [
            {
              transaction: 'POST /orders',
              'transaction.op': 'http.server',
              generation: 1,
              parent_event_id: checkoutId,
              errors: [{ title: 'the cart is gone', span: spanId(4) }],
              children: [],
            },
          ],
        },
      ],
    })
  })

  it('has an error at the span that it names, and without it at the innermost one of its time', async () => {
    const parallelId = 'ab'.repeat(16)
    // A query and a request at the same time: the query failed, the request is shorter.
    const trace = { trace_id: parallelId, span_id: spanId(1), op: 'http.server' }
    await send(fixtureProject, 'transaction', {
      transaction: 'GET /parallel',
      start_timestamp: at,
      timestamp: at + 2,
      contexts: { trace },
      spans: [
        { ...span('db.query', 2, { trace: parallelId, parent: 1 }), timestamp: at + 1 },
        span('http.client', 3, { trace: parallelId, parent: 1 }),
      ],
    })
    for (const span_id of [spanId(2), spanId(99), undefined])
      await send(fixtureProject, 'event', {
        message: 'it failed',
        timestamp: at + 0.5,
        contexts: { trace: { ...trace, span_id } },
      })
    const { json } = await call(`${org}/trace/${parallelId}/`)
    expect(json).toMatchObject([
      {
        errors: [],
        children: [
          { op: 'db.query', errors: [{ span: spanId(2) }] },
          { op: 'http.client', errors: [{ span: spanId(3) }, { span: spanId(3) }] },
        ],
      },
    ])
  })

  it('is counted', async () => {
    expect((await call(`${org}/trace-meta/${traceId}/?statsPeriod=14d`)).json).toEqual({
      logs: 0,
      errors: 1,
      performance_issues: 0,
      span_count: 4,
      transaction_child_count_map: [
        { 'transaction.event_id': checkoutId, 'count()': 3 },
        { 'transaction.event_id': ordersId, 'count()': 1 },
      ],
      span_count_map: { pageload: 1, 'http.client': 1, 'http.server': 1, 'db.query': 1 },
    })
  })

  it('has performance problems separate from its errors, at their first span', async () => {
    const slowId = 'bc'.repeat(16)
    const query = { ...span('db.query', 2, { trace: slowId }), description: 'SELECT name FROM shops' }
    await send(fixtureProject, 'transaction', {
      transaction: 'GET /slow',
      start_timestamp: at,
      timestamp: at + 2,
      contexts: { trace: { trace_id: slowId, span_id: spanId(1), op: 'http.server' } },
      spans: [{ ...query, timestamp: at + 1.5, data: { 'db.system': 'postgresql' } }],
    })
    const problem = { level: 'info', project_slug: 'fixture' }
    const title = 'Slow DB Query: SELECT name FROM shops'
    expect((await call(`${org}/trace/${slowId}/`)).json).toMatchObject([
      {
        errors: [],
        occurrences: [],
        children: [
          {
            errors: [],
            occurrences: [{ ...problem, description: title, issue_type: 'performance_slow_db_query' }],
          },
        ],
      },
    ])
    expect((await call(`${org}/events-trace/${slowId}/`)).json).toMatchObject({
      orphan_errors: [],
      transactions: [{ errors: [], performance_issues: [{ ...problem, title, span: [spanId(2)] }] }],
    })
    expect((await call(`${org}/trace-meta/${slowId}/`)).json).toMatchObject({
      errors: 0,
      performance_issues: 1,
    })
  })

  it('has its errors counted to 200, and the earliest ones listed', async () => {
    const brokenId = 'cd'.repeat(16)
    const contexts = { trace: { trace_id: brokenId, span_id: spanId(1) } }
    const errors = Array.from({ length: 210 }, (_, number) =>
      send(fixtureProject, 'event', { message: 'again', timestamp: at + number / 1000, contexts }),
    )
    await Promise.all(errors)
    expect((await call(`${org}/trace-meta/${brokenId}/`)).json).toMatchObject({ errors: 200 })
    const { json } = await call(`${org}/events-trace/${brokenId}/`)
    expect(v.parse(v.object({ orphan_errors: v.array(v.unknown()) }), json).orphan_errors).toHaveLength(20)
  })

  it('of one project has its own spans only', async () => {
    const { json } = await call(`${org}/events-trace/${traceId}/?project=other`)
    expect(json).toMatchObject({ transactions: [{ transaction: 'POST /orders', generation: 0 }] })
    expect((await call(`${org}/trace/${traceId}/?project=nowhere`)).status).toBe(404)
  })

  it('without any spans is empty, and an invalid trace ID is an error', async () => {
    const none = 'f'.repeat(32)
    expect((await call(`${org}/trace/${none}/`)).json).toEqual([])
    expect((await call(`${org}/events-trace/${none}/`)).json).toEqual({ transactions: [], orphan_errors: [] })
    expect((await call(`${org}/trace-meta/${none}/`)).json).toMatchObject({ span_count: 0, errors: 0 })
    expect((await call(`${org}/trace/nonsense/`)).status).toBe(400)
  })

  it('without events is found by its id, by users with access to its project', async () => {
    const { services } = server
    const own = viewerOfProject(fixtureProject.id)
    expect(await listDigestView(services, own, deepId)).toMatchObject({
      matches: [],
      trace: { traceId: deepId },
    })
    expect((await listDigestView(services, viewerOfProject(otherProject.id), deepId)).trace).toBeUndefined()
    expect((await listDigestView(services, own, 'f'.repeat(32))).trace).toBeUndefined()
  })

  it('with a thousand levels is answered, the deepest as siblings', async () => {
    const { status, json } = await call(`${org}/trace/${deepId}/`)
    expect(status).toBe(200)
    expect(JSON.stringify(json).split('"event_id"')).toHaveLength(1_001)
  })
})
