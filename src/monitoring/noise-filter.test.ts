import { readdirSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findNoise, type NoiseRule, noiseRules } from './noise-filter.ts'

const fixtures = new URL('../../test/fixtures/noise/', import.meta.url)

function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, fixtures), 'utf8'))
}

function errorEvent(value: string, type = 'Error'): object {
  return { exception: { values: [{ type, value, stacktrace: { frames: [] } }] } }
}

function transaction(name: string, trace: object = {}, rest: object = {}): object {
  return { type: 'transaction', transaction: name, contexts: { trace }, ...rest }
}

function segment(name: string, attributes: Record<string, unknown>): object {
  const typed: Record<string, object> = {}
  for (const [key, value] of Object.entries(attributes)) typed[key] = { value, type: 'string' }
  return { name, is_segment: true, status: 'ok', attributes: typed }
}

const wireKeys =
  'type transaction contexts trace data tags attributes is_segment name start_timestamp status ' +
  'message logentry formatted exception values value mechanism extra'

function isRuleOrNothing(found: NoiseRule | undefined): boolean {
  return found === undefined || noiseRules.includes(found)
}

describe('findNoise', () => {
  it('never throws, for any JSON and any thrown value', () => {
    const key = fc.constantFrom(...wireKeys.split(' '))
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, true, 404, '', 'transaction', 'Script error.'),
        fc.dictionary(key, tie('json')),
        fc.array(tie('json'), { maxLength: 3 }),
      ),
    }))
    fc.assert(
      fc.property(json, (event) => isRuleOrNothing(findNoise(event))),
      { numRuns: 3000 },
    )
    fc.assert(
      fc.property(fc.jsonValue(), fc.anything(), (event, originalException) =>
        isRuleOrNothing(findNoise(event, { originalException })),
      ),
    )
  })

  it('survives a thrown object whose getters throw', () => {
    const thrown = {
      get isNotFound(): boolean {
        throw new Error('mine')
      },
    }
    expect(findNoise(errorEvent('x'), { originalException: thrown })).toBeUndefined()
  })

  it.each([
    ['tanstackstart-10-redirect.json', 'redirect-error'],
    ['tanstackstart-11-redirect.json', 'redirect-error'],
    ['tanstackstart-10-response.json', 'redirect-error'],
    ['tanstackstart-10-not-found.json', 'redirect-error'],
    ['tanstackstart-10-route-not-found.json', 'redirect-error'],
    ['tanstackstart-10-unmatched-page.json', 'incomplete-transaction'],
    ['tanstackstart-11-unmatched-page-span.json', 'incomplete-transaction'],
  ])('finds in %s: %s', (name, rule) => {
    expect(findNoise(readFixture(name))).toBe(rule)
  })

  it.each(readdirSync(fixtures).filter((name) => name.startsWith('kept-')))('keeps %s', (name) => {
    expect(findNoise(readFixture(name))).toBeUndefined()
  })

  it('applies only the rules that are on', () => {
    const noise: Record<NoiseRule, unknown> = {
      'ignored-error': errorEvent('Script error.'),
      'not-found-transaction': transaction('/404'),
      'redirect-error': errorEvent('NEXT_REDIRECT'),
      'incomplete-transaction': transaction('incomplete-app-router-transaction'),
    }
    for (const rule of noiseRules) {
      expect(findNoise(noise[rule])).toBe(rule)
      expect(findNoise(noise[rule], { rules: { [rule]: false } })).toBeUndefined()
      expect(findNoise(noise[rule], { rules: { [rule]: true } })).toBe(rule)
    }
  })

  it('keeps items that are neither errors nor transactions', () => {
    for (const event of [
      undefined,
      null,
      'Script error.',
      [],
      { type: 'feedback', message: 'Script error.' },
      {},
    ]) {
      expect(findNoise(event)).toBeUndefined()
    }
  })
})

describe('ignored-error', () => {
  it.each([
    'Script error.',
    'Script error',
    'Javascript error: Script error. on line 0',
    'ResizeObserver loop completed with undelivered notifications.',
    'Cannot redefine property: googletag',
    "Can't find variable: gmo",
    "undefined is not an object (evaluating 'a.N')",
    `TypeError: can't redefine non-configurable property "solana"`,
    'vv().getRestrictions is not a function. (In vv())',
    "Can't find variable: _AutofillCallbackHandler",
    'Non-Error promise rejection captured with value: Object Not Found Matching Id:3, MethodName:simulateEvent, ParamCount:4',
    'Error invoking x: Java exception was raised during method invocation',
    'Error invoking postMessage: Java object is gone',
  ])('ignores %s, as an exception and as a message', (text) => {
    expect(findNoise(errorEvent(text))).toBe('ignored-error')
    expect(findNoise({ message: text })).toBe('ignored-error')
    expect(findNoise({ logentry: { formatted: text } })).toBe('ignored-error')
    expect(findNoise({ exception: [{ value: text }] })).toBe('ignored-error')
  })

  it.each([
    'My Script error.',
    "undefined is not an object (evaluating 'a.name')",
    "Can't find variable: gmoney",
    'Java object is gone for good',
  ])('keeps %s', (text) => {
    expect(findNoise(errorEvent(text))).toBeUndefined()
  })

  it('checks the thrown exception, not its cause', () => {
    const values = [
      { type: 'Error', value: 'Script error.' },
      { type: 'TypeError', value: 'mine' },
    ]
    expect(findNoise({ exception: { values } })).toBeUndefined()
    expect(findNoise({ exception: { values: values.toReversed() } })).toBe('ignored-error')
  })

  it('matches the patterns of a project: a substring, or a regular expression over the value or over type and value', () => {
    const event = errorEvent('fetch of /a failed', 'NetworkError')
    for (const pattern of ['of /a', /^NetworkError: fetch/, /failed$/g]) {
      expect(findNoise(event, { ignoreErrors: [pattern] })).toBe('ignored-error')
      expect(findNoise(event, { ignoreErrors: [pattern] })).toBe('ignored-error')
    }
    expect(findNoise(event, { ignoreErrors: ['', /^failed/, 'Fetch'] })).toBeUndefined()
  })

  it('drops an error without type and value', () => {
    expect(findNoise({ exception: { values: [{}] } })).toBe('ignored-error')
    expect(findNoise({ exception: { values: [{ type: 'Error', value: '' }, { type: null }] } })).toBe(
      'ignored-error',
    )
  })

  it('keeps a request with any content', () => {
    for (const value of [{ type: 'TypeError' }, { value: 'x' }, { stacktrace: { frames: [] } }]) {
      expect(findNoise({ exception: { values: [{}, value] } })).toBeUndefined()
    }
    expect(findNoise({ message: 'x', exception: { values: [{}] } })).toBeUndefined()
    expect(findNoise({ logentry: { message: 'x' }, exception: { values: [{}] } })).toBeUndefined()
    expect(findNoise({ exception: { values: [] } })).toBeUndefined()
    expect(findNoise({ level: 'info' })).toBeUndefined()
  })
})

describe('not-found-transaction', () => {
  it.each(['/404', 'GET /404', 'HEAD /_not-found', '/_not-found', 'POST /404'])('drops %s', (name) => {
    expect(findNoise(transaction(name))).toBe('not-found-transaction')
    expect(findNoise(segment(name, {}))).toBe('not-found-transaction')
  })

  it.each(['/404s', '/errors/404', 'get /404', 'GET  /404', '/_not-found/x', '404'])('keeps %s', (name) => {
    expect(findNoise(transaction(name))).toBeUndefined()
  })

  it('reads the status of the response or of the trace', () => {
    const drops = [
      transaction('GET /a', {}, { contexts: { response: { status_code: 404 } } }),
      transaction('GET /a', { status: 'not_found' }),
      transaction('GET /a', { data: { 'http.response.status_code': 404 } }),
      transaction('GET /a', { data: { 'http.status_code': '404' } }),
      segment('GET', { 'http.response.status_code': 404 }),
      segment('GET', { 'http.status_code': 404 }),
      segment('GET', { 'sentry.status.message': 'not_found' }),
    ]
    for (const event of drops) expect(findNoise(event)).toBe('not-found-transaction')
    expect(
      findNoise(transaction('GET /a', { status: 'ok', data: { 'http.response.status_code': 500 } })),
    ).toBeUndefined()
  })

  it('reads the tag culvert.route_status in each of its forms', () => {
    const tag = 'culvert.route_status'
    expect(findNoise(transaction('/users/$id', {}, { tags: { [tag]: 'not_found' } }))).toBe(
      'not-found-transaction',
    )
    expect(
      findNoise(
        transaction(
          '/users/$id',
          {},
          {
            tags: [
              ['a', 'b'],
              [tag, 'not_found'],
            ],
          },
        ),
      ),
    ).toBe('not-found-transaction')
    expect(findNoise(transaction('/users/$id', { data: { [tag]: 'not_found' } }))).toBe(
      'not-found-transaction',
    )
    expect(findNoise(segment('/users/$id', { [tag]: 'not_found' }))).toBe('not-found-transaction')
    expect(findNoise(transaction('/users/$id', {}, { tags: { [tag]: 'found' } }))).toBeUndefined()
  })

  it('keeps an error of such a page', () => {
    expect(findNoise({ ...errorEvent('x'), transaction: '/404' })).toBeUndefined()
  })

  it('checks the root span only', () => {
    const spans = [{ status: 'not_found', data: { 'http.response.status_code': 404 } }]
    expect(findNoise(transaction('GET /a', {}, { spans }))).toBeUndefined()
    expect(findNoise({ ...segment('/404', {}), is_segment: false })).toBeUndefined()
  })
})

describe('redirect-error', () => {
  it.each([
    '[object Response]',
    'Object captured as exception with keys: isNotFound',
    'Object captured as exception with keys: data, isNotFound, routeId',
    'Object captured as promise rejection with keys: isNotFound, routeId',
    'NEXT_REDIRECT',
    'NEXT_REDIRECT;push;/x;307;',
    'NEXT_NOT_FOUND',
    'NEXT_HTTP_ERROR_FALLBACK;404',
    "Suspense Exception: This is not a real error! It's an implementation detail of `use`",
    'Minified React error #460; visit https://react.dev/errors/460 for the full message',
    'Route /a needs to bail out of prerendering. React throws this special object to indicate where.',
  ])('drops %s, by its text and by its digest', (text) => {
    expect(findNoise(errorEvent(text))).toBe('redirect-error')
    const mechanism = { type: 'generic', data: { digest: text } }
    expect(findNoise({ exception: { values: [{ value: 'x', mechanism }] } })).toBe('redirect-error')
    expect(findNoise({ ...errorEvent('x'), extra: { __serialized__: { digest: text } } })).toBe(
      'redirect-error',
    )
  })

  it.each([
    'Cannot read [object Response]',
    'Object captured as exception with keys: code, isNotFoundish',
    'NEXT_REDIRECTED',
    'handler threw NEXT_REDIRECT',
    'NEXT_HTTP_ERROR_FALLBACK;500',
    'NEXT_HTTP_ERROR_FALLBACK;4041',
    'Minified React error #418; visit https://react.dev/errors/418',
  ])('keeps %s', (text) => {
    expect(findNoise(errorEvent(text))).toBeUndefined()
  })

  it.each([
    ['a Response', new Response(null, { status: 307 })],
    ['a not-found', { isNotFound: true, routeId: '/a' }],
    ['a load that was given up', new DOMException('signal is aborted without reason', 'AbortError')],
    ["Next's redirect", Object.assign(new Error('x'), { digest: 'NEXT_REDIRECT;replace;/a;307;' })],
    ["React's postpone", Object.assign(new Error('x'), { $$typeof: Symbol.for('react.postpone') })],
  ])('drops %s by the original exception', (_, originalException) => {
    expect(findNoise(errorEvent('anything'), { originalException })).toBe('redirect-error')
  })

  it.each([
    ['an error', new Error('x')],
    ['a page that was found', { isNotFound: false }],
    ['a time-out', new DOMException('x', 'TimeoutError')],
    ['a digest of its own', Object.assign(new Error('x'), { digest: '123456' })],
    ['a text', 'NEXT_REDIRECTED'],
  ])('keeps %s', (_, originalException) => {
    expect(findNoise(errorEvent('anything'), { originalException })).toBeUndefined()
  })
})

describe('incomplete-transaction', () => {
  const router = 'auto.pageload.react.tanstack_router'

  it('drops a transaction without a route name', () => {
    const drops = [
      transaction('incomplete-app-router-transaction'),
      transaction('/users/7', { op: 'pageload', origin: router }, { transaction_info: { source: 'url' } }),
      transaction('/users/7', { op: 'navigation', data: { 'sentry.source': 'url' } }),
      transaction('Pageload', { op: 'pageload' }),
      segment('Navigation', { 'sentry.op': 'navigation', 'sentry.origin': router }),
      segment('/users/7', { 'sentry.op': 'pageload', 'sentry.segment.name.source': 'url' }),
    ]
    for (const event of drops) expect(findNoise(event)).toBe('incomplete-transaction')
  })

  it('drops a transaction that never finished', () => {
    const drops = [
      transaction('/users/$id', { op: 'pageload', status: 'deadline_exceeded' }),
      transaction('/users/$id', {
        op: 'navigation',
        data: { 'sentry.idle_span_finish_reason': 'finalTimeout' },
      }),
      segment('/users/$id', { 'sentry.op': 'navigation', 'sentry.status.message': 'deadline_exceeded' }),
    ]
    for (const event of drops) expect(findNoise(event)).toBe('incomplete-transaction')
  })

  it('keeps pages with a route name, and pages that the user left', () => {
    const kept = [
      transaction('/users/$id', { op: 'pageload', status: 'ok' }, { transaction_info: { source: 'route' } }),
      transaction(
        '/users/7',
        { op: 'navigation', status: 'cancelled' },
        { transaction_info: { source: 'url' } },
      ),
      transaction('/users/7', {
        op: 'navigation',
        data: { 'sentry.source': 'url', 'sentry.idle_span_finish_reason': 'cancelled' },
      }),
    ]
    for (const event of kept) expect(findNoise(event)).toBeUndefined()
  })

  it.each([
    'auto.pageload.browser',
    'auto.pageload.nextjs.app_router_instrumentation',
    'auto.pageload.astro',
    'auto.navigation.solid.solidrouter',
    'auto.navigation.react.reactrouter_v5',
    'manual',
  ])('keeps pages of an application that names pages by URL only: %s', (origin) => {
    const op = origin.split('.')[1] ?? 'navigation'
    const source = { transaction_info: { source: 'url' } }
    expect(findNoise(transaction('/a', { op, origin }, source))).toBeUndefined()
  })

  it('keeps server requests that are named by URL, and those that time out', () => {
    const source = { transaction_info: { source: 'url' } }
    expect(findNoise(transaction('GET /a', { op: 'http.server' }, source))).toBeUndefined()
    expect(
      findNoise(transaction('GET /a', { op: 'http.server', status: 'deadline_exceeded' })),
    ).toBeUndefined()
  })
})
