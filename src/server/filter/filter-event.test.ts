import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Event } from '#protocol/event.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import releaseFixture from '../../../test/fixtures/inbound-filters/releases.json' with { type: 'json' }
import { compileFilters } from './compile-filters.ts'
import { filterEvent } from './filter-event.ts'
import { filterReasons } from './filter-reason.ts'
import { defaultFilterSettings, type FilterSettings } from './filter-settings.ts'
import type { FilterContext, FilterSubject } from './filter-subject.ts'
import { parseTransaction } from './transaction-subject.ts'

const noFilterSettings: FilterSettings = {
  noise: {
    'ignored-error': false,
    'not-found-transaction': false,
    'redirect-error': false,
    'incomplete-transaction': false,
  },
  ignoreErrors: [],
  chunkLoadErrors: false,
  reactHydrationErrors: false,
  cspSources: [],
  clientAddresses: [],
  releases: [],
  errorMessages: [],
  localhost: false,
  browserExtensions: false,
  legacyBrowsers: [],
  webCrawlers: false,
  transactions: [],
}

const oldChrome =
  'Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/41.0.2228.0 Safari/537.36'
const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

function filtered(subject: FilterSubject, chosen: FilterSettings, context: FilterContext) {
  return filterEvent(subject, compileFilters(chosen), context)
}

const readEvent = (raw: unknown) => normalizeEvent(raw, { eventId: '0'.repeat(32), receivedAt: 0 })

function withUserAgent(userAgent: string): FilterSubject {
  return { type: 'error', request: { headers: [['User-Agent', userAgent]] } }
}

function settings(changes: Partial<FilterSettings>): FilterSettings {
  return { ...noFilterSettings, ...changes }
}

describe('filterEvent', () => {
  it('keeps an ordinary event of a new project', () => {
    const event: Event = {
      eventId: '0'.repeat(32),
      type: 'error',
      occurredAt: 0,
      receivedAt: 0,
      platform: 'javascript',
      level: 'error',
      environment: 'production',
      exceptions: [{ type: 'TypeError', value: 'x is undefined' }],
      threads: [],
      breadcrumbs: [],
      request: { url: 'http://localhost:3000/' },
      contexts: {},
      tags: [],
      extra: {},
      modules: [],
      fieldErrors: [],
      redactions: [],
    }
    expect(filtered(event, defaultFilterSettings, { raw: {}, clientAddress: '127.0.0.1' })).toBeUndefined()
  })

  it.each<[string, FilterSubject, FilterContext]>([
    ['ignored-error', { type: 'error' }, { raw: { message: 'Script error.' } }],
    ['redirect-error', { type: 'error' }, { raw: { exception: { values: [{ value: 'NEXT_NOT_FOUND' }] } } }],
    ['not-found-transaction', { type: 'transaction' }, { raw: { type: 'transaction', transaction: '/404' } }],
    [
      'incomplete-transaction',
      { type: 'transaction' },
      { raw: { type: 'transaction', transaction: 'incomplete-app-router-transaction' } },
    ],
    [
      'chunk-load-error',
      { type: 'error', exceptions: [{ type: 'ChunkLoadError', value: 'Loading chunk 1' }] },
      {},
    ],
    [
      'react-hydration-errors',
      { type: 'error', exceptions: [{ value: 'at https://react.dev/errors/418' }] },
      {},
    ],
    [
      'invalid-csp',
      { type: 'csp', securityReport: { kind: 'csp', data: { blocked_uri: 'chrome-extension://a' } } },
      {},
    ],
    ['browser-extensions', { type: 'error', exceptions: [{ value: 'fb_xd_fragment' }] }, {}],
    ['legacy-browsers', withUserAgent(oldChrome), {}],
    ['web-crawlers', withUserAgent(crawler), {}],
    ['filtered-transaction', { type: 'transaction', transaction: 'GET /healthz' }, {}],
  ])('filters by default: %s', (reason, subject, context) => {
    expect(filtered(subject, defaultFilterSettings, context)).toBe(reason)
    expect(filtered(subject, noFilterSettings, context)).toBeUndefined()
  })

  it('applies the filters that a project enables', () => {
    const subject: FilterSubject = {
      type: 'error',
      release: 'shop@1.2.3',
      exceptions: [{ type: 'TypeError', value: 'x is undefined' }],
      request: { url: 'http://localhost/' },
    }
    const context = { clientAddress: '10.1.2.3', raw: { message: 'quota used up' } }
    const filter = (changes: Partial<FilterSettings>): string | undefined =>
      filtered(subject, settings(changes), context)
    expect(filter({ clientAddresses: ['10.0.0.0/8'] })).toBe('ip-address')
    expect(filter({ releases: ['*@1.*'] })).toBe('release-version')
    expect(filter({ errorMessages: ['TypeError: *'] })).toBe('error-message')
    expect(filter({ localhost: true })).toBe('localhost')
    const noise = { ...noFilterSettings.noise, 'ignored-error': true }
    expect(filter({ noise, ignoreErrors: ['quota'] })).toBe('ignored-error')
    expect(filter({ ignoreErrors: ['quota'] })).toBeUndefined()
  })

  it.each(releaseFixture.cases)(
    'decides like Relay: the release $release, of $patterns',
    ({ release, patterns, filtered: isFiltered }) => {
      const reason = filtered({ type: 'error', release }, settings({ releases: patterns }), {})
      expect(reason).toBe(isFiltered ? 'release-version' : undefined)
    },
  )

  it('returns the first reason, in the order of the filters', () => {
    const all: FilterSettings = {
      ...defaultFilterSettings,
      clientAddresses: ['10.0.0.1'],
      releases: ['*'],
      errorMessages: ['*'],
      localhost: true,
    }
    const subject: FilterSubject = {
      type: 'csp',
      release: '1',
      exceptions: [
        { type: 'ChunkLoadError', value: 'Loading chunk 1 https://react.dev/errors/418 fb_xd_fragment' },
      ],
      securityReport: { kind: 'csp', data: { blocked_uri: 'about' } },
      request: { url: 'http://localhost/', headers: [['user-agent', oldChrome]] },
    }
    const context = { clientAddress: '10.0.0.1', raw: { message: 'Script error.' } }
    const offInTurn: Partial<FilterSettings>[] = [
      { noise: noFilterSettings.noise },
      { chunkLoadErrors: false },
      { reactHydrationErrors: false },
      { cspSources: [] },
      { clientAddresses: [] },
      { releases: [] },
      { errorMessages: [] },
      { localhost: false },
      { browserExtensions: false },
      { legacyBrowsers: [] },
    ]
    const reasons = offInTurn.map((_, index) =>
      filtered(subject, Object.assign({ ...all }, ...offInTurn.slice(0, index)) as FilterSettings, context),
    )
    expect(reasons).toEqual([
      'ignored-error',
      ...filterReasons.slice(
        filterReasons.indexOf('chunk-load-error'),
        filterReasons.indexOf('web-crawlers'),
      ),
    ])
  })

  it.each(['cloudflare', 'vercel-edge', 'deno'])('stores errors of %s for old browsers', (name) => {
    const visited = { request: { headers: { 'User-Agent': oldChrome } }, platform: 'javascript' }
    const raw = { ...visited, contexts: { runtime: { name } } }
    for (const read of [readEvent, parseTransaction]) {
      expect(filtered(read(visited), defaultFilterSettings, {})).toBe('legacy-browsers')
      expect(filtered(read(raw), defaultFilterSettings, {})).toBeUndefined()
    }
  })

  it('uses the user agent of the ingest request for browser events only', () => {
    const context = { userAgent: crawler }
    expect(filtered({ type: 'error', platform: 'javascript' }, defaultFilterSettings, context)).toBe(
      'web-crawlers',
    )
    expect(filtered({ type: 'error', platform: 'node' }, defaultFilterSettings, context)).toBeUndefined()
    const visitor = { ...withUserAgent('Mozilla/5.0 (X11; Linux) Firefox/140.0'), platform: 'javascript' }
    expect(filtered(visitor, defaultFilterSettings, context)).toBeUndefined()
  })

  it('keeps an error that happened in a health check', () => {
    expect(
      filtered({ type: 'error', transaction: 'GET /healthz' }, defaultFilterSettings, {}),
    ).toBeUndefined()
  })

  it('applies all filters to transactions except those of messages', () => {
    const raw = {
      type: 'transaction',
      transaction: 'GET /orders',
      release: '1.0',
      platform: 'python',
      request: { url: 'https://shop.test/', headers: { 'User-Agent': crawler } },
      user: { ip_address: '127.0.0.1' },
    }
    const subject = parseTransaction(raw)
    expect(filtered(subject, defaultFilterSettings, { raw })).toBe('web-crawlers')
    expect(filtered(subject, settings({ releases: ['1.*'] }), { raw })).toBe('release-version')
    expect(filtered(subject, settings({ localhost: true }), { raw })).toBe('localhost')
    expect(filtered(subject, settings({ errorMessages: ['*'] }), { raw })).toBeUndefined()
  })

  it('never throws, for any transaction', () => {
    const key = fc.constantFrom(
      'request',
      'headers',
      'url',
      'user',
      'ip_address',
      'transaction',
      'release',
      'platform',
    )
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, 7, '', 'http://x:y', 'User-Agent', crawler),
        fc.dictionary(key, tie('json')),
        fc.array(tie('json'), { maxLength: 3 }),
      ),
    }))
    const all = { ...defaultFilterSettings, localhost: true, clientAddresses: ['::/0'], releases: ['{a,[b'] }
    fc.assert(
      fc.property(json, fc.option(fc.string(), { nil: '' }), (raw, clientAddress) => {
        const reason = filtered(parseTransaction(raw), all, { raw, clientAddress })
        expect(reason === undefined || filterReasons.includes(reason)).toBe(true)
      }),
    )
  })

  it('never throws, for any normalized event', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('chunk', 'http://[::1', crawler, oldChrome))
    const subject = fc.record(
      {
        type: fc.constantFrom('error', 'csp', 'default', 'transaction'),
        release: text,
        transaction: text,
        platform: fc.constantFrom('javascript', 'node'),
        exceptions: fc.array(
          fc.record({
            type: text,
            value: text,
            stackTrace: fc.record({ frames: fc.array(fc.record({ absPath: text })) }),
          }),
        ),
        request: fc.record({ url: text, headers: fc.array(fc.tuple(text, text)) }),
        user: fc.record({ ipAddress: text }),
        securityReport: fc.record({
          kind: fc.constantFrom('csp', 'hpkp'),
          data: fc.dictionary(fc.string(), fc.jsonValue()),
        }),
      },
      { requiredKeys: ['type'] },
    ) as fc.Arbitrary<FilterSubject>
    const all = { ...defaultFilterSettings, localhost: true }
    fc.assert(
      fc.property(subject, text, (event, userAgent) => {
        const reason = filtered(event, all, { userAgent, clientAddress: userAgent, raw: event })
        expect(reason === undefined || filterReasons.includes(reason)).toBe(true)
      }),
    )
  })
})
