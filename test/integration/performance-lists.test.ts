import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PerformanceSearch } from '#server/console/performance/performance.search.ts'
import { getPerformanceView } from '#server/console/performance/performance.ts'
import { findSpanGroupView } from '#server/console/performance/span-group.ts'
import { findTransactionView } from '#server/console/performance/transaction.ts'
import type { PerformanceViewName } from '#server/console/performance/views.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { viewerOfProject } from '#test/test-store.ts'
import { dayMs } from '#time/time-steps.ts'

const { id } = fixtureProject
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'
const desktop =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'

let server: TestServer
let traceCount = 0

beforeAll(async () => {
  server = await startServer()
  // The newest release made one route slower and the other one faster.
  await send('/users/17', { seconds: 1, release: 'web@1.9.0', spans: [['cache.get', 'user:17']] })
  await send('/users/18', { seconds: 3, release: 'web@1.10.0', agent: phone })
  await send('/cart', {
    seconds: 4,
    release: 'web@1.9.0',
    spans: [
      ['cache.get', 'cart:1'],
      ['queue.process', 'mail', { 'messaging.destination.name': 'mails' }],
    ],
  })
  await send('/cart', {
    seconds: 1,
    release: 'web@1.10.0',
    agent: desktop,
    spans: [
      ['cache.get', 'cart:2'],
      ['resource.script', 'https://cdn.example.com/assets/a1b2.js'],
    ],
  })
  await send('/once', { seconds: 9, release: 'web@1.10.0', agent: 'node' })
  await vi.waitFor(assertAllCounted, { timeout: 20_000 })
})
afterAll(() => server.stop())

/** Figures are folded a moment after their commit. */
async function assertAllCounted(): Promise<void> {
  const { figures } = await view()
  const counted = figures.reduce((sum, { count }) => sum + count, 0)
  if (counted !== traceCount) throw new Error(`${counted} of ${traceCount} are counted`)
}

async function send(
  transaction: string,
  {
    seconds,
    release,
    agent = phone,
    source,
    op = 'pageload',
    spans = [],
  }: {
    seconds: number
    release: string
    agent?: string
    source?: string
    op?: string
    spans?: [op: string, description: string, data?: object][]
  },
): Promise<void> {
  traceCount += 1
  const at = Date.now() / 1000 - 10
  const payload = {
    type: 'transaction',
    transaction,
    ...(source !== undefined && { transaction_info: { source } }),
    platform: 'javascript',
    release,
    start_timestamp: at,
    timestamp: at + seconds,
    contexts: {
      trace: { trace_id: traceCount.toString(16).padStart(32, 'a'), span_id: 'f'.repeat(16), op },
    },
    spans: spans.map(([spanOp, description, data = {}], index) => ({
      span_id: `${index}`.padStart(16, 'e'),
      op: spanOp,
      description,
      data,
      start_timestamp: at,
      timestamp: at + seconds,
    })),
    measurements: { lcp: { value: seconds * 1000 } },
  }
  const { status } = await postEnvelope(server.origin, envelopeOf({}, ['transaction', payload]), {
    headers: { 'user-agent': agent },
  })
  expect(status).toBe(200)
}

const viewer = () => viewerOfProject(id)

function view(search: PerformanceSearch = {}) {
  return getPerformanceView(server.services, viewer(), search)
}

const routesOf = async (device?: PerformanceSearch['device']) =>
  (await view({ view: 'vitals', ...(device && { device }) })).routes.map(({ name }) => name).toSorted()
const namesOf = async (search: PerformanceSearch) => (await view(search)).figures.map(({ name }) => name)

const pages = (search: PerformanceSearch) =>
  Promise.all([view(search), view({ ...search, page: 2 }), view({ ...search, page: 3 })])

describe('the list of transactions', () => {
  it('compares the newest release with the one before it', async () => {
    const { figures } = await view()
    const users = figures.find(({ name }) => name === '/users/*')
    expect(users?.release?.version).toBe('web@1.10.0')
    expect(users?.release?.p95).toBeGreaterThan(2_800)
    expect(users?.release?.before).toBeLessThan(1_100)
    expect(figures.find(({ name }) => name === '/once')?.release).toBeUndefined()
  })

  it('is sorted by the requested order', async () => {
    expect(await namesOf({})).toEqual(['/once', '/cart', '/users/*'])
    expect(await namesOf({ sort: 'release' })).toEqual(['/users/*', '/cart', '/once'])
    expect(await namesOf({ sort: 'p95' })).toEqual(['/once', '/cart', '/users/*'])
  })
})

describe('the list of web vitals', () => {
  it('is by device: by the user agent of the request if the span has none', async () => {
    expect(await routesOf()).toEqual(['/cart', '/once', '/users/*'])
    expect(await routesOf('mobile')).toEqual(['/cart', '/users/*'])
    expect(await routesOf('desktop')).toEqual(['/cart'])
    expect(await routesOf('unknown')).toEqual(['/once'])
  })
})

const rowsOf = async (name: PerformanceViewName) =>
  (await view({ view: name })).figures.map((each) => `${each.name} ${each.count}`)

describe('the lists of spans', () => {
  it('are by category, each with its groups', async () => {
    expect(await rowsOf('caches')).toEqual(['cache.get 3'])
    expect(await rowsOf('queues')).toEqual(['queue.process mails 1'])
    expect(await rowsOf('resources')).toEqual(['script https://cdn.example.com/assets/*.js 1'])
    expect(await rowsOf('queries')).toEqual([])
  })

  it('are of 24 hours if one is chosen: spans are not counted by minute', async () => {
    expect(await view({ view: 'caches', period: '1h' })).toMatchObject({
      period: '24h',
      figures: [{ name: 'cache.get' }],
    })
  })

  it('lead to the transactions that have such spans', async () => {
    const [cache] = (await view({ view: 'caches' })).figures
    const group = { project: fixtureProject.name, group: cache?.id ?? '' }
    const found = await findSpanGroupView(server.services, viewer(), { ...group, period: '7d' })
    expect(found).toMatchObject({
      category: 'cache',
      name: 'cache.get',
      figures: { count: 3 },
      moreTransactions: 0,
      transactions: [
        { name: '/cart', op: 'pageload', count: 2, time: 5_000 },
        { name: '/users/*', count: 1, time: 1_000 },
      ],
    })
    const [cart] = (await view({ q: '/cart' })).figures
    expect(found?.transactions[0]?.id).toBe(cart?.id)
    const others = { ...viewer(), memberships: [] }
    expect(await findSpanGroupView(server.services, others, group)).toBeUndefined()
    for (const none of [cart?.id ?? '', '1', 'x'])
      expect(await findSpanGroupView(server.services, viewer(), { ...group, group: none })).toBeUndefined()
  })
})

it('has pages of 50 rows, and of 25 routes with vitals, in the order of all, with their share of the time of all', async () => {
  // As routes: addresses that differ in one part are one.
  const names = Array.from({ length: 57 }, (_, at) => `/page-${'x'.repeat(at)}`)
  for (const [at, name] of names.entries())
    await send(name, { seconds: 10 + at, release: 'web@1.10.0', source: 'route' })
  await vi.waitFor(
    async () => {
      const [, last] = await pages({})
      expect(last.figures).toHaveLength(10)
    },
    { timeout: 20_000 },
  )
  const listed = await pages({})
  expect(listed.map(({ figures, hasNext }) => [figures.length, hasNext])).toEqual([
    [50, true],
    [10, false],
    [0, false],
  ])
  const all = listed.flatMap(({ figures }) => figures)
  expect(all.map(({ name }) => name)).toEqual([...names.toReversed(), '/once', '/cart', '/users/*'])
  expect(all.reduce((sum, { timeShare }) => sum + timeShare, 0)).toBeCloseTo(1, 6)
  const byDuration = (await pages({ sort: 'p95' })).flatMap(({ figures }) => figures.map(({ name }) => name))
  expect(byDuration).toEqual([...names.toReversed(), '/once', '/cart', '/users/*'])
  const routes = (await pages({ view: 'vitals' })).map((each) => each.routes.length)
  expect(routes).toEqual([25, 25, 10])
})

/** The page of a transaction in the list. */
async function transactionOf(name: string, op: string) {
  const { figures } = await view({ q: name })
  const { id: transaction = '' } = figures.find((each) => each.name === name && each.op === op) ?? {}
  const found = await findTransactionView(server.services, viewer(), {
    project: fixtureProject.name,
    transaction,
  })
  return {
    count: found?.figures?.count,
    groups: found?.groups.map(({ name: group, count }) => `${group} ${count}`),
    samples: [...(found?.slow ?? []), ...(found?.typical ?? [])].map(({ duration }) => duration),
  }
}

it('samples are found by the name without ids', async () => {
  expect((await transactionOf('/users/*', 'pageload')).samples).toEqual([3_000, 1_000])
})

it('transactions with one name and different ops are separate, with their spans and samples', async () => {
  const query = { 'db.system': 'postgresql' }
  const [release, source] = ['web@1.10.0', 'route']
  await send('/two', { seconds: 1, release, source, spans: [['cache.get', 'two:1']] })
  await send('/two', {
    seconds: 2,
    release,
    source,
    op: 'http.server',
    spans: [['db.query', 'SELECT two', query]],
  })
  await expect
    .poll(() => transactionOf('/two', 'pageload'), { timeout: 20_000 })
    .toEqual({ count: 1, groups: ['cache.get 1'], samples: [1_000] })
  expect(await transactionOf('/two', 'http.server')).toEqual({
    count: 1,
    groups: ['SELECT two 1'],
    samples: [2_000],
  })
  const [queries] = (await view({ view: 'queries', q: 'SELECT two' })).figures
  const group = { project: fixtureProject.name, group: queries?.id ?? '' }
  const found = await findSpanGroupView(server.services, viewer(), group)
  expect(found?.transactions).toMatchObject([{ name: '/two', op: 'http.server', count: 1 }])
})

/** The count of the transaction, and its p95 in seconds now and a week before. */
async function weekly(): Promise<(number | undefined)[][]> {
  const { figures } = await view({ q: 'weekly' })
  return figures.map(({ count, p95, p95Before = 0 }) => [
    count,
    Math.round(p95 / 1000),
    Math.round(p95Before / 1000),
  ])
}

describe('the change of a transaction', () => {
  it('is against the same time of the week before', async () => {
    await send('/weekly', { seconds: 2, release: 'web@1.9.0' })
    await expect.poll(weekly, { timeout: 20_000 }).toEqual([[1, 2, 0]])
    const { writer } = server.services.store
    await writer
      .updateTable('figures')
      .set((of) => ({ at: of('at', '-', 7 * dayMs) }))
      .where('name_id', 'in', (of) =>
        of.selectFrom('figure_names').select('id').where('name', '=', '/weekly'),
      )
      .execute()
    await send('/weekly', { seconds: 4, release: 'web@1.10.0' })
    await expect.poll(weekly, { timeout: 20_000 }).toEqual([[1, 4, 2]])
  })
})
