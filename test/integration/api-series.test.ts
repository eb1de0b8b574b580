import * as v from 'valibot'
import { afterAll, describe, expect, it } from 'vitest'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, sendError, startApiServer } from '#test/api-server.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, otherProject } from '#test/start-server.ts'
import { hourMs, hourOf } from '#time/time-steps.ts'

/** Requests of Grafana's Sentry data source 2.2.5, as its back end writes them. */

const now = Date.now()
/** As the data source writes times: without a zone, in UTC. */
const goTime = (at: number) => new Date(at).toISOString().slice(0, 19)
const range = `start=${goTime(now - 24 * hourMs)}&end=${goTime(now + 60_000)}`
const org = '/organizations/default'

const session = (sid: string, status: string) => ({
  sid: sid.repeat(32),
  did: sid,
  init: true,
  started: new Date(now).toISOString(),
  timestamp: new Date(now).toISOString(),
  status,
  errors: status === 'crashed' ? 1 : 0,
  attrs: { release: 'shop@1.0.0', environment: 'production' },
})

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server, { name: 'owner' }))
for (const type of ['CartError', 'CartError', 'PaymentError'])
  await sendError(server, { type, release: 'shop@1.0.0', environment: 'production' })
await sendError(server, { type: 'CartError', release: 'shop@1.0.0', environment: 'staging' })
await sendError(server, { type: 'Elsewhere' }, otherProject)
await postEnvelope(
  server.origin,
  envelopeOf(
    {},
    ['session', session('a', 'exited')],
    ['session', session('b', 'exited')],
    ['session', session('c', 'exited')],
    ['session', session('d', 'crashed')],
  ),
)
await server.services.housekeeping.settle()
afterAll(() => server.stop())

const Table = v.object({ data: v.array(v.record(v.string(), v.unknown())) })
const Groups = v.object({
  intervals: v.array(v.string()),
  groups: v.array(
    v.object({
      by: v.record(v.string(), v.unknown()),
      totals: v.record(v.string(), v.unknown()),
      series: v.record(v.string(), v.array(v.nullable(v.number()))),
    }),
  ),
})
const Line = v.object({ data: v.array(v.tuple([v.number(), v.array(v.object({ count: v.number() }))])) })
const sumOf = (line: unknown) =>
  v.parse(Line, line).data.reduce((sum, [, [first]]) => sum + (first?.count ?? 0), 0)

describe('the table of events', () => {
  const defaults =
    'field=id&field=title&field=project&field=project.id&field=release&field=count()&field=epm()&field=last_seen()&field=level&field=event.type&field=platform'

  it('has a row for each issue with the default fields of the editor', async () => {
    const { status, json } = await call(
      `${org}/events/?query=&${range}&per_page=100&sort=-last_seen()&${defaults}`,
    )
    expect(status).toBe(200)
    const { data } = v.parse(Table, json)
    expect(data).toHaveLength(3)
    const cart = data.find(({ title }) => String(title).startsWith('CartError'))
    expect(cart).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      project: 'fixture',
      'project.id': fixtureProject.id,
      'count()': 3,
      level: 'error',
      release: 'shop@1.0.0',
    })
    expect(Number(cart?.['epm()'])).toBeGreaterThan(0)
  })

  it('groups issues by their fields, and counts one environment', async () => {
    const grouped = await call(`${org}/events/?query=&${range}&field=project&field=count()&sort=-count()`)
    expect(v.parse(Table, grouped.json).data).toEqual([
      { project: 'fixture', 'count()': 4 },
      { project: 'other', 'count()': 1 },
    ])
    const staging = await call(
      `${org}/events/?query=&${range}&field=project&field=count()&environment=staging&project=${fixtureProject.id}`,
    )
    expect(v.parse(Table, staging.json).data).toEqual([{ project: 'fixture', 'count()': 1 }])
  })

  it('selects issues by the search, and has no row outside of the range', async () => {
    const found = await call(`${org}/events/?query=PaymentError&${range}&field=title&field=count()`)
    expect(v.parse(Table, found.json).data).toMatchObject([{ 'count()': 1 }])
    const before = `start=${goTime(now - 48 * hourMs)}&end=${goTime(now - 24 * hourMs)}`
    const none = await call(`${org}/events/?query=&${before}&field=title&field=count()`)
    expect(v.parse(Table, none.json).data).toEqual([])
  })

  it.each([
    ['field=failure_rate()', 'failure_rate()'],
    ['field=count_unique(user)', 'count_unique(user)'],
    ['field=browser.name', 'browser.name'],
    ['field=title&sort=-p95()', 'p95'],
    ['query=is:for_review&field=title', 'for_review'],
  ])('rejects %s by its name', async (parameters, name) => {
    const { status, json } = await call(`${org}/events/?${range}&${parameters}`)
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain(name)
  })

  it('names data that is not stored', async () => {
    expect((await call(`${org}/events/?dataset=logs&field=message`)).json).toEqual({
      detail: expect.stringContaining('dataset=logs') as string,
    })
  })

  it('has no single spans', async () => {
    const { json } = await call(`${org}/events/?${range}&dataset=spans&useRpc=1&field=id&field=trace`)
    expect(v.parse(Table, json).data).toEqual([])
    expect((await call(`${org}/trace-items/attributes/?attributeType=number&itemType=spans`)).json).toEqual([
      { key: 'span.duration', name: 'span.duration' },
    ])
    expect((await call(`${org}/trace-items/attributes/?attributeType=number&itemType=logs`)).json).toEqual([])
    expect((await call(`${org}/trace-items/attributes/?attributeType=constructor`)).json).toEqual([])
  })
})

describe('events over time', () => {
  const zoned = `start=${goTime(now - 24 * hourMs)}Z&end=${goTime(now + 60_000)}Z&partial=1&excludeOther=1`

  it('is a point for each step', async () => {
    const { json } = await call(`${org}/events-stats/?query=&${zoned}&interval=1h&topEvents=10&yAxis=count()`)
    const { data } = v.parse(Line, json)
    expect([24, 25]).toContain(data.length - 1)
    // The hour may have ended before the last event.
    expect(sumOf({ data: data.filter(([at]) => at >= hourOf(now) / 1_000) })).toBe(5)
    expect(sumOf(json)).toBe(5)
  })

  it('rounds an interval up to hours', async () => {
    const { json } = await call(`${org}/events-stats/?query=&${zoned}&interval=90s&yAxis=count()`)
    const [[first], [second]] = v.parse(v.tuple([v.array(v.number()), v.array(v.number())]), [
      [v.parse(Line, json).data[0]?.[0]],
      [v.parse(Line, json).data[1]?.[0]],
    ])
    expect((second ?? 0) - (first ?? 0)).toBe(3_600)
  })

  it('has a line for each value of a field, and each axis', async () => {
    const grouped = await call(
      `${org}/events-stats/?query=&${zoned}&interval=1h&topEvents=5&field=count()&field=project&yAxis=count()`,
    )
    const lines = v.parse(v.record(v.string(), v.unknown()), grouped.json)
    expect(Object.keys(lines)).toEqual(['fixture', 'other'])
    expect([sumOf(lines['fixture']), sumOf(lines['other'])]).toEqual([4, 1])
    const axes = await call(`${org}/events-stats/?query=&${zoned}&interval=1h&yAxis=count()&yAxis=epm()`)
    const byAxis = v.parse(v.record(v.string(), v.unknown()), axes.json)
    expect(Object.keys(byAxis)).toEqual(['count()', 'epm()'])
    expect(sumOf(byAxis['epm()'])).toBeCloseTo(5 / 60)
  })

  it.each([
    ['interval=1x', 'Invalid interval'],
    ['interval=1h&start=2020-01-01T00:00:00', 'increase interval'],
    ['interval=1h&yAxis=p95()', 'p95()'],
    ['interval=1h&field=browser.name', 'browser.name'],
    ['interval=1h&topEvents=0', 'topEvents'],
    ['interval=1h&start=yesterday', 'ISO 8601'],
  ])('rejects %s', async (parameters, text) => {
    const { status, json } = await call(`${org}/events-stats/?${parameters}`)
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain(text)
  })
})

const totalsOfOutcomes = async (parameters: string) => {
  const { json } = await call(`${org}/stats_v2/?${range}&interval=1d&field=sum(quantity)&${parameters}`)
  return v.parse(Groups, json).groups.map(({ totals }) => totals['sum(quantity)'])
}

describe('outcomes over time', () => {
  it('are grouped under the names of Sentry', async () => {
    const { json } = await call(
      `${org}/stats_v2/?${range}&interval=1h&category=error&field=sum(quantity)&field=sum(times_seen)&groupBy=outcome&groupBy=reason`,
    )
    const { intervals, groups } = v.parse(Groups, json)
    const accepted = groups.find(({ by }) => by['outcome'] === 'accepted')
    expect(accepted).toMatchObject({
      by: { outcome: 'accepted', reason: '' },
      totals: { 'sum(quantity)': 5 },
    })
    expect(accepted?.series['sum(quantity)']).toHaveLength(intervals.length)
    expect(accepted?.series['sum(times_seen)']).toEqual(accepted?.series['sum(quantity)'])
  })

  it('are those of one project, category and outcome', async () => {
    expect(await totalsOfOutcomes(`category=error&outcome=accepted&project=${otherProject.id}`)).toEqual([1])
    expect(await totalsOfOutcomes('category=session&outcome=accepted')).toEqual([4])
    expect(await totalsOfOutcomes('category=error&outcome=abuse')).toEqual([])
  })

  it.each([
    ['field=avg(quantity)', 'avg(quantity)'],
    ['field=sum(quantity)&groupBy=key', 'key'],
  ])('rejects %s', async (parameters, text) => {
    const { status, json } = await call(`${org}/stats_v2/?${range}&${parameters}`)
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain(text)
  })
})

const readSessions = async (parameters: string) => {
  const { json } = await call(`${org}/metrics/data/?includeSeries=1&${range}&${parameters}`)
  return v.parse(Groups, json)
}

const totalsOfSessions = async (query: string) =>
  (await readSessions(`interval=1h&field=session.all&query=${encodeURIComponent(query)}`)).groups.map(
    ({ totals }) => totals['session.all'],
  )

describe('sessions over time', () => {
  it('have the crash-free rate of each release, and null where there was no session', async () => {
    const { groups } = await readSessions(
      'interval=1h&groupBy=release&orderBy=-session.crash_free_rate&per_page=5&field=session.crash_free_rate',
    )
    expect(groups).toMatchObject([
      { by: { release: 'shop@1.0.0' }, totals: { 'session.crash_free_rate': 0.75 } },
    ])
    const [first] = groups[0]?.series['session.crash_free_rate'] ?? []
    expect(first).toBeNull()
  })

  it('are counted by status, by project, and by user', async () => {
    const byStatus = await readSessions('interval=1h&groupBy=session.status&field=session.all')
    expect(byStatus.groups.map(({ by, totals }) => [by['session.status'], totals['session.all']])).toEqual([
      ['healthy', 3],
      ['crashed', 1],
      ['errored', 0],
      ['abnormal', 0],
    ])
    const byProject = await readSessions('interval=1h&groupBy=project&field=session.crashed&per_page=5')
    expect(byProject.groups).toMatchObject([
      { by: { project: fixtureProject.id }, totals: { 'session.crashed': 1 } },
    ])
    const users = await readSessions('interval=1h&per_page=1&field=session.crash_free_user_rate')
    expect(users.groups).toMatchObject([{ by: {}, totals: { 'session.crash_free_user_rate': 0.75 } }])
  })

  it('are filtered by release and environment', async () => {
    expect(await totalsOfSessions('release:"shop@1.0.0" environment:production')).toEqual([4])
    expect(await totalsOfSessions('release:shop@2.0.0')).toEqual([])
  })

  it('are under the names of release health, with several fields and groupings', async () => {
    const fields = ['sum(session)', 'crash_free_rate(session)', 'count_unique(user)', 'crash_rate(user)']
    const { json } = await call(
      `${org}/sessions/?${range}&interval=1d&groupBy=release&groupBy=environment&orderBy=-crash_rate(user)` +
        `&per_page=5&includeSeries=1${fields.map((field) => `&field=${field}`).join('')}`,
    )
    const { groups, intervals } = v.parse(Groups, json)
    expect(groups).toMatchObject([
      {
        by: { release: 'shop@1.0.0', environment: 'production' },
        totals: {
          'sum(session)': 4,
          'crash_free_rate(session)': 0.75,
          'count_unique(user)': 4,
          'crash_rate(user)': 0.25,
        },
      },
    ])
    expect(groups[0]?.series['sum(session)']).toHaveLength(intervals.length)
  })

  it('are counted by state and release, even without series', async () => {
    const { json } = await call(
      `${org}/sessions/?${range}&interval=60m&groupBy=release&groupBy=session.status&includeSeries=0`,
    )
    expect(v.parse(Groups, json).groups.slice(0, 2)).toEqual([
      {
        by: { release: 'shop@1.0.0', 'session.status': 'healthy' },
        totals: { 'sum(session)': 3 },
        series: {},
      },
      {
        by: { release: 'shop@1.0.0', 'session.status': 'crashed' },
        totals: { 'sum(session)': 1 },
        series: {},
      },
    ])
  })

  it.each([
    ['field=anr_rate()', 'anr_rate()'],
    ['field=crash_rate(user)&groupBy=session.status', 'session.status'],
    ['field=sum(session)&orderBy=-p95(session.duration)', 'orderBy'],
    ['field=session.anr_rate', 'session.anr_rate'],
    ['field=session.all&query=os:Linux', 'query'],
    ['field=session.crashed&groupBy=session.status', 'session.status'],
    ['field=session.all&groupBy=country', 'country'],
  ])('rejects %s', async (parameters, text) => {
    const { status, json } = await call(`${org}/metrics/data/?${range}&interval=1h&${parameters}`)
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain(text)
  })
})

describe('the list of issues', () => {
  it.each(['date', 'new', 'priority', 'freq', 'user'])(
    'is one page with every issue of the range, sorted by %s',
    async (sort) => {
      const query = `query=&${range}&sort=${sort}&limit=10000&project=${fixtureProject.id}&environment=production`
      const { status, json, headers } = await call(`${org}/issues/?${query}`)
      expect(status).toBe(200)
      expect(headers.get('link')).toContain('rel="next"; results="false"')
      expect(json).toMatchObject([
        { count: expect.stringMatching(/^\d+$/) as string },
        { userCount: expect.any(Number) as number },
      ])
    },
  )
})

describe('the menus of the editor', () => {
  it('list the tags of events', async () => {
    const { json } = await call(`${org}/tags/`)
    expect(json).toContainEqual({ key: 'environment', name: 'environment' })
  })

  it('find no other organization', async () => {
    for (const path of ['events', 'events-stats', 'stats_v2', 'metrics/data', 'tags'])
      expect([path, (await call(`/organizations/foreign/${path}/?field=title`)).status]).toEqual([path, 404])
  })
})
