import * as v from 'valibot'
import { afterAll, describe, expect, it } from 'vitest'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, sendError, startApiServer } from '#test/api-server.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, otherProject } from '#test/start-server.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'

/** Requests of Grafana's Sentry data source 3, as its back end writes them. */

const now = Date.now()
const at = Math.floor(now / 1_000) - 10
const goTime = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
const range = `start=${encodeURIComponent(goTime(now - 24 * hourMs))}&end=${encodeURIComponent(goTime(now + minuteMs))}`
const org = '/organizations/default'
const id = (number: number, length = 16) => number.toString(16).padStart(length, '0')

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server))
for (const type of ['CartError', 'CartError', 'PaymentError']) await sendError(server, { type })
await sendError(server, { type: 'Elsewhere' }, otherProject)
const transactions = [
  { name: '/checkout', seconds: 2, environment: 'production', status: 'ok' },
  { name: '/checkout', seconds: 4, environment: 'staging', status: 'internal_error' },
  { name: '/home', seconds: 1, environment: 'production', status: 'ok' },
]
for (const [index, each] of transactions.entries()) await sendTransaction(index + 1, each)
afterAll(() => server.stop())

async function sendTransaction(
  number: number,
  given: { name: string; seconds: number; environment: string; status: string },
  project: Pick<typeof fixtureProject | typeof otherProject, 'id' | 'publicKey'> = fixtureProject,
): Promise<void> {
  const { name, seconds, environment, status } = given
  const trace = { trace_id: id(number, 32), span_id: id(number) }
  const span = (op: string, spanId: number, description: string) => ({
    trace_id: trace.trace_id,
    span_id: id(spanId),
    parent_span_id: trace.span_id,
    op,
    description,
    start_timestamp: at,
    // Shorter than a slow query, which would be an issue.
    timestamp: at + 0.05,
  })
  const payload = {
    transaction: name,
    environment,
    start_timestamp: at,
    timestamp: at + seconds,
    contexts: { trace: { ...trace, op: 'http.server', status } },
    spans: [span('db.query', 100 * number, 'SELECT 1'), span('http.client', 100 * number + 1, 'GET /prices')],
  }
  const answered = await postEnvelope(server.origin, envelopeOf({}, ['transaction', payload]), { project })
  expect(answered.status).toBe(200)
}

const TimeSeries = v.object({
  meta: v.object({ dataset: v.string(), start: v.number(), end: v.number() }),
  timeSeries: v.array(
    v.object({
      yAxis: v.string(),
      groupBy: v.optional(v.array(v.object({ key: v.string(), value: v.unknown() }))),
      values: v.array(
        v.object({ timestamp: v.number(), value: v.nullable(v.number()), incomplete: v.boolean() }),
      ),
      meta: v.looseObject({ valueType: v.string(), valueUnit: v.nullable(v.string()), interval: v.number() }),
    }),
  ),
})

async function readTimeSeries(parameters: string) {
  const { status, json } = await call(`${org}/events-timeseries/?${range}&excludeOther=0&${parameters}`)
  expect(json).toBeDefined()
  expect(status).toBe(200)
  return v.parse(TimeSeries, json)
}

/** The names of lines, and the sums of their values. */
async function readSums(parameters: string) {
  const { timeSeries } = await readTimeSeries(parameters)
  return timeSeries.map(({ groupBy = [], values }) => [
    groupBy.map(({ value }) => value).join(','),
    values.reduce((sum, { value }) => sum + (value ?? 0), 0),
  ])
}

describe('events in lines', () => {
  it('are a value for each step, in milliseconds, of which the last is incomplete', async () => {
    const { meta, timeSeries } = await readTimeSeries('dataset=discover&query=&interval=300&yAxis=count()')
    expect(meta.dataset).toBe('discover')
    const [line] = timeSeries
    expect(timeSeries).toHaveLength(1)
    expect(line).toMatchObject({
      yAxis: 'count()',
      meta: { valueType: 'integer', valueUnit: null, interval: hourMs },
    })
    expect(line?.groupBy).toBeUndefined()
    expect(line?.values.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(4)
    expect(line?.values.map(({ incomplete }) => incomplete)).toContain(true)
    expect(line?.values[0]).toMatchObject({ value: 0, incomplete: false })
  })

  it('have a line for each value and axis', async () => {
    const parameters = 'dataset=errors&interval=3600&groupBy=project&topEvents=5&yAxis=count()'
    expect(await readSums(parameters)).toEqual([
      ['fixture', 3],
      ['other', 1],
    ])
    const { timeSeries } = await readTimeSeries(`${parameters}&yAxis=epm()`)
    expect(timeSeries.map(({ yAxis, meta }) => [yAxis, meta['order'], meta.valueUnit])).toEqual([
      ['count()', 0, null],
      ['epm()', 0, '1/minute'],
      ['count()', 1, null],
      ['epm()', 1, '1/minute'],
    ])
  })
})

describe('transactions and groups of spans in lines', () => {
  const spans = 'dataset=spans&interval=3600'

  it('are counted over all names', async () => {
    // Folded a moment later.
    await expect
      .poll(() => readSums(`${spans}&query=&yAxis=count(span.duration)`), { timeout: 20_000 })
      .toEqual([['', 6]])
    expect(await readSums(`${spans}&query=span.op:db&yAxis=count()`)).toEqual([['', 3]])
    expect(await readSums('dataset=transactions&interval=3600&yAxis=count()')).toEqual([['', 3]])
    expect(await readSums('dataset=transactions&interval=3600&query=checkout&yAxis=count()')).toEqual([
      ['', 2],
    ])
    expect(await readSums('dataset=transactions&query=transaction.op:nothing&yAxis=count()')).toEqual([
      ['', 0],
    ])
  })

  it('have durations in milliseconds and shares, and no value without data', async () => {
    const { timeSeries } = await readTimeSeries(
      `${spans}&query=is_transaction:true transaction:/checkout&yAxis=p95(span.duration)&yAxis=failure_rate()`,
    )
    expect(timeSeries.map(({ yAxis, meta }) => [yAxis, meta.valueType, meta.valueUnit])).toEqual([
      ['p95(span.duration)', 'duration', 'millisecond'],
      ['failure_rate()', 'percentage', null],
    ])
    const valuesOf = (line: number) => timeSeries[line]?.values.map(({ value }) => value) ?? []
    expect(valuesOf(0)[0]).toBeNull()
    expect(valuesOf(0).find((value) => value !== null)).toBeCloseTo(4_000, -3)
    expect(valuesOf(1).find((value) => value !== null)).toBe(0.5)
  })

  it('have a line for each of the largest, and one for the rest', async () => {
    const parameters = 'dataset=transactions&interval=3600&groupBy=transaction&yAxis=count()'
    expect(await readSums(`${parameters}&topEvents=5`)).toEqual([
      ['/checkout', 2],
      ['/home', 1],
    ])
    expect(await readSums(`${parameters}&topEvents=1&sort=p95()`)).toEqual([
      ['/home', 1],
      ['', 2],
    ])
    expect(await readSums(`${parameters}&topEvents=1&sort=-transaction`)).toEqual([
      ['/home', 1],
      ['', 2],
    ])
    expect(await readSums(`${spans}&groupBy=span.op&yAxis=count()&sort=-count()`)).toEqual(
      expect.arrayContaining([
        ['db', 3],
        ['http', 3],
      ]),
    )
  })

  it('are those of environments, by the hour and by the day', async () => {
    const counted = 'dataset=transactions&interval=3600&yAxis=count()'
    expect(await readSums(`${counted}&environment=staging`)).toEqual([['', 1]])
    expect(await readSums(`${counted}&environment=staging&environment=production`)).toEqual([['', 3]])
    const intervals: Record<string, number | undefined> = {}
    for (const period of ['7d', '204h', '30d']) {
      const path = `${org}/events-timeseries/?dataset=transactions&statsPeriod=${period}&interval=1h`
      const { json } = await call(`${path}&yAxis=count()`)
      const { values = [], meta } = v.parse(TimeSeries, json).timeSeries[0] ?? {}
      expect(values.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(3)
      intervals[period] = meta?.interval
    }
    expect(intervals).toEqual({ '7d': hourMs, '204h': 24 * hourMs, '30d': 24 * hourMs })
  })

  it('have the older form at events-stats', async () => {
    const path = `${org}/events-stats/?${range}&dataset=spans&partial=1&excludeOther=0&sampling=NORMAL&topEvents=10`
    const Line = v.looseObject({
      data: v.array(v.tuple([v.number(), v.array(v.object({ count: v.number() }))])),
    })
    const sumOf = (line: unknown) =>
      v.parse(Line, line).data.reduce((sum, [, [value]]) => sum + (value?.count ?? 0), 0)
    const { json } = await call(
      `${path}&query=span.op:db&field=count(span.duration)&yAxis=count(span.duration)`,
    )
    expect(sumOf(json)).toBe(3)
    const grouped = await call(`${path}&query=is_transaction:true&field=transaction&yAxis=count()`)
    const lines = v.parse(v.record(v.string(), v.unknown()), grouped.json)
    expect(Object.entries(lines).map(([name, line]) => [name, sumOf(line)])).toEqual([
      ['/checkout', 2],
      ['/home', 1],
    ])
  })
})

describe.each(['events-timeseries', 'events-stats'])('%s', (endpoint) => {
  it.each([
    ['dataset=logs', 'dataset'],
    ['dataset=spans&yAxis=count_unique(user)', 'count_unique(user)'],
    ['dataset=spans&query=user.id:7', 'part of a name'],
    ['dataset=spans&sort=-title', 'sort'],
    ['dataset=errors&yAxis=p95()', 'p95()'],
    ['dataset=errors&interval=1y', 'interval'],
    ['topEvents=none', 'topEvents'],
  ])('rejects %s', async (parameters, text) => {
    const { status, json } = await call(`${org}/${endpoint}/?${range}&${parameters}`)
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain(text)
  })

  it('is not found in another organization', async () => {
    expect((await call(`/organizations/none/${endpoint}/?${range}&dataset=spans`)).status).toBe(404)
  })
})

it('the line of the rest has a transaction of another project with the same name', async () => {
  const sent = { name: '/checkout', seconds: 1, environment: 'production', status: 'ok' }
  await sendTransaction(9, sent, otherProject)
  const parameters = 'dataset=transactions&interval=3600&groupBy=project&groupBy=transaction&yAxis=count()'
  await expect
    .poll(() => readSums(`${parameters}&topEvents=1`), { timeout: 20_000 })
    .toEqual([
      ['fixture,/checkout', 2],
      ['', 2],
    ])
})
