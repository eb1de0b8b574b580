import { describe, expect, it } from 'vitest'
import { compileFilters } from './compile-filters.ts'
import { filterEvent } from './filter-event.ts'
import { defaultFilterSettings } from './filter-settings.ts'
import { compileGlobs } from './glob.ts'
import { parseSegment } from './segment-subject.ts'
import { isFilteredTransaction } from './transaction-names.ts'

const seconds = 1_700_000_000
const oldChrome =
  'Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/41.0.2228.0 Safari/537.36'

function rootSpan(name: string, attributes: Record<string, string | number>): Record<string, unknown> {
  return {
    trace_id: 'a'.repeat(32),
    span_id: 'b'.repeat(16),
    name,
    is_segment: true,
    start_timestamp: seconds - 1,
    end_timestamp: seconds,
    attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, { value }])),
  }
}

const filters = compileFilters({ ...defaultFilterSettings, localhost: true })
const reasonOf = (name: string, attributes: Record<string, string | number>) => {
  const raw = rootSpan(name, attributes)
  return filterEvent(parseSegment(raw), filters, { raw })
}

const server = { 'sentry.op': 'http.server' }

describe('a root span', () => {
  it.each([
    ['GET', { ...server, 'http.route': '/healthz' }],
    ['GET', { ...server, 'url.path': '/healthz' }],
    ['GET', { ...server, 'http.target': '/healthz?full' }],
    ['GET', { ...server, 'url.full': 'https://shop.example/healthz' }],
    ['GET /healthz', server],
  ])('named %s is filtered by the name that screens show: %j', (name, attributes) => {
    expect(reasonOf(name, attributes)).toBe('filtered-transaction')
  })

  it('of a service is filtered by its name with and without the service', () => {
    const raw = rootSpan('GET', { ...server, 'http.route': '/jobs', 'service.name': 'orders' })
    const isFiltered = (pattern: string) => isFilteredTransaction(parseSegment(raw), compileGlobs([pattern]))
    expect(['GET /jobs', 'orders: GET /jobs', 'orders:*', 'GET'].map(isFiltered)).toEqual(
      Array.from({ length: 4 }, () => true),
    )
    expect(isFiltered('web: GET /jobs')).toBe(false)
  })

  it.each([
    { ...server, 'url.full': 'http://localhost:3000/cart' },
    { ...server, 'http.host': 'localhost:3000' },
    { ...server, 'server.address': '127.0.0.1' },
    { ...server, 'user.ip_address': '127.0.0.1' },
  ])('of a developer is filtered: %j', (attributes) => {
    expect(reasonOf('GET /cart', attributes)).toBe('localhost')
  })

  it('of a program’s request to its own machine is not a developer’s', () => {
    const attributes = { 'sentry.op': 'http.client', 'url.full': 'http://localhost:9200/search' }
    expect(reasonOf('GET', attributes)).toBeUndefined()
  })

  it('of a page in an old browser is filtered, and one of a server for it is not', () => {
    const agent = { 'user_agent.original': oldChrome }
    const page = { 'sentry.op': 'pageload', 'sentry.platform': 'javascript', 'sentry.source': 'route' }
    expect(reasonOf('/cart', { ...agent, ...page })).toBe('legacy-browsers')
    expect(reasonOf('GET /cart', { 'http.user_agent': oldChrome, ...server })).toBeUndefined()
    expect(reasonOf('GET /cart', { ...agent, ...server, 'sentry.platform': 'node' })).toBeUndefined()
    // One SDK for browser and server.
    const nextjs = { 'sentry.sdk.name': 'sentry.javascript.nextjs' }
    for (const op of ['http.server', 'http.server.middleware'])
      expect(reasonOf('GET /cart', { ...agent, ...nextjs, 'sentry.op': op })).toBeUndefined()
    expect(reasonOf('/cart', { ...agent, ...nextjs, ...page })).toBe('legacy-browsers')
  })

  it.each(['http.response.status_code', 'http.status_code'])('with 404 as its %s is filtered', (name) => {
    expect(reasonOf('GET', { ...server, [name]: 404 })).toBe('not-found-transaction')
  })

  it('is parsed without ids, and from any value', () => {
    expect(parseSegment({ name: 'GET', is_segment: true })).toMatchObject({ transaction: 'GET' })
    for (const raw of [null, 7, [], { attributes: 7 }]) expect(parseSegment(raw).type).toBe('transaction')
  })
})
