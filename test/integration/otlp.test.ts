import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { facetsOfTransaction } from '#server/store/figures/name-id.ts'
import { listTraceSegments } from '#server/store/traces/traces.ts'
import { protobufField as field } from '#test/protobuf.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'
import { countedOutcomes } from '#test/stored-events.ts'
import { expectThroughout } from '#test/waiting.ts'

const { id, publicKey } = fixtureProject
const traceId = '5b8efff798038103d269b633813fc60c'
const protobuf = 'application/x-protobuf'

const server = await startServer()
beforeEach(() =>
  server.services.store.connection.exec('DELETE FROM trace_segments; DELETE FROM trace_totals'),
)
afterAll(() => server.stop())

interface Sent {
  path?: string
  headers?: Record<string, string>
}

function send(body: string | Uint8Array, { path = 'integration/otlp/v1/traces', headers = {} }: Sent = {}) {
  return fetch(`${server.origin}/api/${id}/${path}`, {
    method: 'POST',
    body: Buffer.from(body),
    headers: {
      'content-type': 'application/json',
      'x-sentry-auth': `sentry sentry_key=${publicKey}`,
      ...headers,
    },
  })
}

const statusOf = async (answer: Promise<Response>) => (await answer).status

const now = Date.now()
const nanos = (secondsAgo: number) => `${BigInt(Math.floor(now - secondsAgo * 1000)) * 1_000_000n}`
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

/** A request to a server, and its query, as OpenTelemetry's Node SDK sends them. */
function requestOf(spans: object[] = [serverSpan(), querySpan()]): string {
  const attributes = [
    text('service.name', 'orders'),
    text('service.version', '3.1.4'),
    text('deployment.environment.name', 'staging'),
    text('telemetry.sdk.language', 'nodejs'),
  ]
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'http' }, spans }] }],
  })
}

function serverSpan() {
  return {
    traceId,
    spanId: 'eee19b7ec3c1b174',
    parentSpanId: 'eee19b7ec3c1b173',
    flags: 0x301,
    name: 'POST /orders',
    kind: 2,
    startTimeUnixNano: nanos(2),
    endTimeUnixNano: nanos(1),
    attributes: [
      text('http.request.method', 'POST'),
      { key: 'http.response.status_code', value: { intValue: '500' } },
      { key: 'list', value: { arrayValue: { values: [{ stringValue: 'a' }, { boolValue: true }] } } },
    ],
    status: { code: 2, message: 'the cart is gone' },
  }
}

function querySpan() {
  return {
    traceId,
    spanId: 'eee19b7ec3c1b175',
    parentSpanId: 'eee19b7ec3c1b174',
    name: 'INSERT orders',
    kind: 3,
    startTimeUnixNano: nanos(1.8),
    endTimeUnixNano: nanos(1.5),
    attributes: [
      text('db.system.name', 'postgresql'),
      text('db.query.text', 'INSERT INTO orders VALUES ($1)'),
    ],
    events: [{ name: 'exception', attributes: [text('exception.type', 'OrderError')] }],
  }
}

async function stored() {
  const { segments } = await listTraceSegments(server.services.store.db, { traceId, projectIds: [id] })
  return segments.map(({ segment }) => segment)
}

const resourceOf = (service: string, version: string, environment: string) => ({
  attributes: [
    text('service.name', service),
    text('service.version', version),
    text('deployment.environment.name', environment),
  ],
})

async function countTraces(): Promise<number> {
  const { db } = server.services.store
  return (await db.selectFrom('trace_segments').select('trace_id').distinct().execute()).length
}

async function listCountedReleases(): Promise<string[]> {
  const { db } = server.services.store
  const rows = await db.selectFrom('figures').select('facet').where('series', '=', 'release').execute()
  return rows.map(({ facet }) => facet)
}

const countOutcomes = () => countedOutcomes(server.services.store, id)

const pair = (key: string, value: Uint8Array) => Buffer.concat([field(1, key), field(2, value)])

function protobufRequest(): Buffer {
  const resource = field(1, pair('service.version', field(1, '3.1.4')))
  const span = Buffer.concat([
    field(1, Buffer.from(traceId, 'hex')),
    field(2, Buffer.from('eee19b7ec3c1b174', 'hex')),
    field(3, 'vendor=x,ot=th:c'),
    field(5, 'POST /orders'),
    field(6, 2),
    field(7, BigInt(nanos(2))),
    field(8, BigInt(nanos(1))),
    field(9, pair('http.request.method', field(1, 'POST'))),
    field(9, pair('http.response.status_code', field(3, 500))),
    field(9, pair('share', Buffer.concat([Buffer.from([0x21]), doubleBytes(0.25)]))),
    field(15, Buffer.concat([field(2, 'the cart is gone'), field(3, 2)])),
  ])
  return field(1, Buffer.concat([field(1, resource), field(2, field(2, span))]))
}

function doubleBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}

/** The count of a group of spans in each transaction, by its facet. */
async function countSpansByFacet(name: string): Promise<Record<string, number>> {
  const rows = await server.services.store.db
    .selectFrom('figures as f')
    .innerJoin('figure_names as n', (join) =>
      join.onRef('n.project_id', '=', 'f.project_id').onRef('n.id', '=', 'f.name_id'),
    )
    .select(['f.facet', 'f.value_count as count'])
    .where('n.name', '=', name)
    .where('f.series', '=', 'span')
    .where('f.step', '=', 'hour')
    .execute()
  return Object.fromEntries(rows.map(({ facet, count }) => [facet, count]))
}

describe('traces of OpenTelemetry', () => {
  it('are stored from JSON, with their op, status, environment and release', async () => {
    const answer = await send(requestOf())
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/json',
      '{}',
    ])
    const [segment] = await stored()
    expect(segment).toMatchObject({
      traceId,
      transaction: 'orders: POST /orders',
      environment: 'staging',
      release: '3.1.4',
      platform: 'node',
    })
    expect(segment?.spans).toMatchObject([
      {
        isSegment: true,
        op: 'http.server',
        status: 'error',
        statusText: 'the cart is gone',
        attributes: { 'http.response.status_code': 500, list: '["a",true]', 'service.name': 'orders' },
      },
      {
        isSegment: false,
        op: 'db',
        description: 'INSERT INTO orders VALUES ($1)',
        attributes: { 'exception.type': 'OrderError' },
      },
    ])
  })

  it('of several services in one request have the release and environment of their own service', async () => {
    const page = {
      ...serverSpan(),
      spanId: 'e'.repeat(16),
      parentSpanId: '',
      flags: 0x100,
      name: 'GET /cart',
    }
    const call = { ...querySpan(), spanId: 'd'.repeat(16), parentSpanId: page.spanId, name: 'call' }
    const late = { ...querySpan(), spanId: 'c'.repeat(16) }
    // As a Collector batches them: a service can be in several parts of a request.
    const parts = [
      [resourceOf('orders', '3.1.4', 'blue'), [querySpan(), serverSpan()]],
      [resourceOf('web', '7.0.0', 'green'), [call, page]],
      [resourceOf('orders', '3.1.4', 'blue'), [late, querySpan()]],
    ] as const
    const resourceSpans = parts.map(([resource, spans]) => ({ resource, scopeSpans: [{ spans }] }))
    const answer = await send(JSON.stringify({ resourceSpans }))
    // One span is sent twice.
    expect(await answer.json()).toMatchObject({ partialSuccess: { rejectedSpans: '1' } })
    const segments = (await stored()).map(({ environment, release, transaction, spans }) => [
      environment,
      release,
      transaction,
      spans.length,
    ])
    expect(segments.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))).toEqual([
      ['blue', '3.1.4', 'orders: POST /orders', 3],
      ['green', '7.0.0', 'web: GET /cart', 2],
    ])
    await expect
      .poll(listCountedReleases, { timeout: 20_000 })
      .toEqual(expect.arrayContaining(['3.1.4', '7.0.0']))
  })

  it('count under the transaction of their root span, also in a large request', async () => {
    const queries = Array.from({ length: limits.spansPerSegment }, (_, index) => ({
      ...querySpan(),
      spanId: (index + 0x10_00).toString(16).padStart(16, '0'),
      attributes: [
        text('db.system.name', 'sqlite'),
        text('db.query.text', 'SELECT name FROM large_requests'),
      ],
    }))
    expect(await statusOf(send(requestOf([...queries, serverSpan()])))).toBe(200)
    // The parts without the root span know its name only.
    const { own, shared } = facetsOfTransaction({ name: 'orders: POST /orders', op: 'http.server' })
    await expect
      .poll(
        async () => {
          const counts = await countSpansByFacet('SELECT name FROM large_requests')
          return { known: (counts[own] ?? 0) > 0, sum: (counts[own] ?? 0) + (counts[shared] ?? 0) }
        },
        { timeout: 20_000 },
      )
      .toEqual({ known: true, sum: queries.length })
  })

  it('have their kind and status by number and by name', async () => {
    const named = {
      ...serverSpan(),
      flags: 0,
      kind: 'SPAN_KIND_SERVER',
      status: { code: 'STATUS_CODE_ERROR', message: 'gone' },
    }
    const query = { ...querySpan(), kind: 'SPAN_KIND_CLIENT', status: { code: 'STATUS_CODE_OK' } }
    const other = {
      ...querySpan(),
      spanId: 'b'.repeat(16),
      kind: 'SPAN_KIND_NONSENSE',
      status: { code: 'ERROR' },
    }
    expect(await statusOf(send(requestOf([named, query, other])))).toBe(200)
    const [segment] = await stored()
    expect(
      segment?.spans.map(({ isSegment, status, attributes }) => [
        isSegment,
        status,
        attributes['sentry.kind'],
      ]),
    ).toEqual([
      [true, 'error', 'server'],
      [false, 'ok', 'client'],
      [false, 'ok', 'internal'],
    ])
  })

  it('are stored from protobuf, also compressed, and answered in protobuf', async () => {
    const answer = await send(gzipSync(protobufRequest()), {
      path: 'integration/otlp/v1/traces/',
      headers: { 'content-type': protobuf, 'content-encoding': 'gzip' },
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, protobuf])
    expect((await answer.arrayBuffer()).byteLength).toBe(0)
    const [segment] = await stored()
    expect([segment?.release, segment?.sampleRate]).toEqual(['3.1.4', 0.25])
    expect(segment?.spans).toMatchObject([
      {
        name: 'POST /orders',
        op: 'http.server',
        durationUs: 1_000_000,
        attributes: { 'http.response.status_code': 500, share: 0.25 },
      },
    ])
  })

  it('that are not stored are in the answer and in the outcomes', async () => {
    const before = await countOutcomes()
    const spanAt = (index: number, fields: object = {}) => ({
      traceId,
      spanId: (index + 1).toString(16).padStart(16, '0'),
      startTimeUnixNano: nanos(1),
      endTimeUnixNano: nanos(0),
      ...fields,
    })
    const hasId = spanAt(0)
    const hasNoId = spanAt(1, { spanId: '0'.repeat(16) })
    const endsEarly = spanAt(2, { startTimeUnixNano: nanos(-1) })
    const empty = Array.from({ length: limits.otlpSpans }, () => ({}))
    const answer = await send(requestOf([hasId, hasNoId, endsEarly, ...empty]))
    const errorMessage = 'spans were not stored: invalid_span, too_many_spans'
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { partialSuccess: { rejectedSpans: String(limits.otlpSpans + 2), errorMessage } },
    ])
    const after = await countOutcomes()
    const names = ['span accepted', 'span invalid invalid_span', 'span invalid too_many_spans']
    expect(names.map((name) => (after[name] ?? 0) - (before[name] ?? 0))).toEqual([
      1,
      limits.otlpSpans - 1,
      3,
    ])
    expect((await stored()).flatMap((segment) => segment.spans)).toHaveLength(1)
  })

  it('of any number of traces in one request are one item of the default limit of an address', async () => {
    const clientAddress = '203.0.113.7'
    const spans = Array.from({ length: 1_000 }, (_, index) => ({
      ...serverSpan(),
      traceId: (index + 1).toString(16).padStart(32, '0'),
    }))
    const { projectKeys, rateLimiter } = server.services
    const key = await projectKeys.findOfProject(id)
    const { quantity } = limits.addressRateLimit
    const used = { category: 'error', quantity, itemCount: quantity }
    expect(key && rateLimiter.limitsFor({ key, clientAddress })?.take(used)).toBeUndefined()
    // A second before the limit accepts as many items.
    const answer = await send(requestOf(spans), { headers: { 'x-forwarded-for': clientAddress } })
    expect([answer.status, await answer.json()]).toEqual([200, {}])
    expect(await countTraces()).toBe(spans.length)
  })

  it('in large requests are processed one request at a time', async () => {
    const { largeExports } = server.services
    await largeExports.acquire()
    const spaces = ' '.repeat(limits.otlpTogetherBytes)
    let status: number | undefined
    const sent = send(`${requestOf()}${spaces}`).then((answer) => (status = answer.status))
    expect(await statusOf(send('{}'))).toBe(200)
    await expectThroughout(300, () => expect(status).toBeUndefined())
    largeExports.release()
    expect(await sent).toBe(200)
    expect(await stored()).toHaveLength(1)
  })

  it('that are not stored are in the answer in protobuf, too', async () => {
    const spans = Buffer.concat(Array.from({ length: 300 }, () => field(2, field(5, 'without ids'))))
    const answer = await send(field(1, field(2, spans)), { headers: { 'content-type': protobuf } })
    const partial = Buffer.concat([field(1, 300), field(2, 'spans were not stored: invalid_span')])
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(field(1, partial))
  })

  it('that are not objects are in the answer and in the outcomes of a request without others', async () => {
    const before = await countOutcomes()
    const answer = await send('{"resourceSpans":[{"scopeSpans":[{"spans":[1,null]}]}]}')
    expect(await answer.json()).toMatchObject({ partialSuccess: { rejectedSpans: '2' } })
    const name = 'span invalid invalid_span'
    expect(((await countOutcomes())[name] ?? 0) - (before[name] ?? 0)).toBe(2)
  })

  it('are rejected without a key, in another format, and if they cannot be parsed', async () => {
    expect(await statusOf(send('{}', { headers: { 'x-sentry-auth': '' } }))).toBe(401)
    expect(
      await statusOf(send('{}', { headers: { 'x-sentry-auth': `sentry sentry_key=${'0'.repeat(32)}` } })),
    ).toBe(403)
    expect(await statusOf(send('{}', { headers: { 'content-type': 'text/plain' } }))).toBe(415)
    expect(await statusOf(send('[1]'))).toBe(400)
    expect(await statusOf(send('{"resourceSpans":'))).toBe(400)
    expect(await statusOf(send(Buffer.from([0x0a, 0x7f]), { headers: { 'content-type': protobuf } }))).toBe(
      400,
    )
    expect(await statusOf(send(' '.repeat(limits.otlpBytes + 1)))).toBe(413)
    expect(await statusOf(send('{}'))).toBe(200)
    expect(await statusOf(send('{"resourceSpans":[null,{"scopeSpans":[{"spans":[1,{}]}]}]}'))).toBe(200)
    expect(await stored()).toEqual([])
  })
})
