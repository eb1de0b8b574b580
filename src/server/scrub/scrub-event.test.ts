import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { findExcessGrowth, threadCpuMs } from '#test/cpu-time.ts'
import { scrubEvent } from './scrub-event.ts'
import { createScrubPlan } from './scrub-plan.ts'
import { defaultScrubSettings, type ScrubSettings } from './scrub-settings.ts'

function scrub(event: JsonObject, settings: Partial<ScrubSettings> = {}): JsonObject {
  return scrubEvent(event, createScrubPlan({ ...defaultScrubSettings, ...settings })).value
}

/** Without `_meta`. */
function scrubbed(event: JsonObject, settings: Partial<ScrubSettings> = {}): JsonObject {
  const { _meta, ...rest } = scrub(event, settings)
  return rest
}

describe('the parts of an event', () => {
  it('keeps ids, times, versions, code and packages', () => {
    const event: JsonObject = {
      event_id: '41111111111111114111111111111111',
      timestamp: 1700000000.123,
      platform: 'node',
      release: 'password=x@4111111111111111',
      environment: 'token=a',
      level: 'error',
      modules: { 'password-generator': '1.0.0' },
      sdk: { name: 'sentry.javascript.node', packages: [{ name: 'npm:@sentry/auth', version: '1' }] },
      debug_meta: { images: [{ code_file: '/home/jane/x', debug_id: 'a' }] },
      exception: {
        values: [
          {
            type: 'TypeError',
            stacktrace: {
              frames: [
                {
                  function: 'password=hunter2',
                  module: 'secret: abc',
                  filename: '/home/jane/app.js',
                  abs_path: '/home/jane/app.js',
                  lineno: 4,
                },
              ],
            },
          },
        ],
      },
      contexts: { trace: { trace_id: '30400000000000000000000000000000', span_id: '4111111111111111' } },
      user: { id: '7', email: 'jo@shop.example', ip_address: '203.0.113.7' },
    }
    expect(scrub(event)).toBe(event)
  })

  it('scrubs messages, exceptions, breadcrumbs, variables, source and code locations', () => {
    const frame = {
      abs_path: 'https://cdn.example/a.js?token=abc',
      context_line: "const apiKey = 'abcdef'",
      pre_context: ['', "password = 'hunter2'"],
      vars: { password: 'hunter2', note: 'card 4111111111111111' },
    }
    const event = {
      message: 'password=hunter2',
      exception: {
        values: [
          { value: 'token: abc123', stacktrace: { frames: [frame] }, mechanism: { data: { auth: 'x' } } },
        ],
      },
      breadcrumbs: [{ message: 'GET /?api_key=abc', data: { url: 'https://u:p@h/' } }],
      threads: { values: [{ stacktrace: { frames: [{ vars: { pwd: 'x' } }] } }] },
      fingerprint: ['{{ default }}', 'secret=abc'],
    }
    expect(scrubbed(event)).toEqual({
      message: 'password=[Filtered]',
      exception: {
        values: [
          {
            value: 'token: [Filtered]',
            stacktrace: {
              frames: [
                {
                  abs_path: 'https://cdn.example/a.js?token=[Filtered]',
                  context_line: "const apiKey = '[Filtered]'",
                  pre_context: ['', "password = '[Filtered]'"],
                  vars: { password: '[Filtered]', note: 'card [creditcard]' },
                },
              ],
            },
            mechanism: { data: { auth: '[Filtered]' } },
          },
        ],
      },
      breadcrumbs: [{ message: 'GET /?api_key=[Filtered]', data: { url: 'https://u:[Filtered]@h/' } }],
      threads: { values: [{ stacktrace: { frames: [{ vars: { pwd: '[Filtered]' } }] } }] },
      fingerprint: ['{{ default }}', 'secret=[Filtered]'],
    })
  })

  it('reads requests: query, headers, cookies and body', () => {
    const event = {
      request: {
        url: 'https://shop.example/home/jane/x?token=abc',
        query_string: 'sig=abc&page=2',
        headers: {
          Accept: '*/*',
          authorization: 'Bearer abc',
          Cookie: 'theme=dark; sid=abc; csrftoken=def',
          'X-Token': 'x',
        },
        cookies: { theme: 'dark', 'connect.sid': 'abc', user_session: 'def' },
        data: '{"user":"jo","password":"hunter2"}',
        env: { REMOTE_ADDR: '203.0.113.7', HTTP_COOKIE: 'PHPSESSID=abc; a=b' },
      },
      contexts: {
        response: { headers: [['Set-Cookie', 'sid=abc; Path=/; Max-Age=60']], cookies: [['sid', 'abc']] },
      },
    }
    expect(scrubbed(event)).toEqual({
      request: {
        url: 'https://shop.example/home/jane/x?token=[Filtered]',
        query_string: 'sig=[Filtered]&page=2',
        headers: {
          Accept: '*/*',
          authorization: '[Filtered]',
          Cookie: 'theme=dark; sid=[Filtered]; csrftoken=[Filtered]',
          'X-Token': '[Filtered]',
        },
        cookies: { theme: 'dark', 'connect.sid': '[Filtered]', user_session: '[Filtered]' },
        data: '{"user":"jo","password":"[Filtered]"}',
        env: { REMOTE_ADDR: '203.0.113.7', HTTP_COOKIE: 'PHPSESSID=[Filtered]; a=b' },
      },
      contexts: {
        response: {
          headers: [['Set-Cookie', 'sid=[Filtered]; Path=/; Max-Age=60']],
          cookies: [['sid', '[Filtered]']],
        },
      },
    })
  })

  it('reads queries and cookies as pairs and as objects', () => {
    const event = {
      request: {
        query_string: [
          ['sig', 'abc'],
          ['page', '2'],
        ],
        cookies: [{ name: 'sid', value: 'abc' }, 'session=def; a=b'],
      },
    }
    expect(scrubbed(event)).toEqual({
      request: {
        query_string: [
          ['sig', '[Filtered]'],
          ['page', '2'],
        ],
        cookies: [{ name: 'sid', value: '[Filtered]' }, 'session=[Filtered]; a=b'],
      },
    })
  })

  it('scrubs the code of an OAuth callback, which is in a query with a state', () => {
    const code = 'a1b2c3d4e5f6a7b8c9d0'
    const queries = [{ code, state: 'x' }, Object.entries({ code, state: 'x' }), `code=${code}&state=x`]
    expect(queries.map((query) => scrubbed({ request: { query_string: query } }))).toEqual(
      [
        { code: '[Filtered]', state: 'x' },
        Object.entries({ code: '[Filtered]', state: 'x' }),
        'code=[Filtered]&state=x',
      ].map((query) => ({ request: { query_string: query } })),
    )
    const kept = { request: { query_string: { code, page: '2' } } }
    expect(scrubbed(kept)).toEqual(kept)
  })

  it('scrubs a parameter of a message when the template gives it a secret name', () => {
    const event = { logentry: { message: 'user %s password=%s', params: ['jo', 'hunter2'] } }
    expect(scrubbed(event)).toEqual({
      logentry: { message: 'user %s password=%s', params: ['jo', '[Filtered]'] },
    })
  })

  it('scrubs a card number that was sent as a number', () => {
    expect(scrubbed({ extra: { n: 4111111111111111, at: 1700000000000000 } })).toEqual({
      extra: { n: '[creditcard]', at: 1700000000000000 },
    })
  })

  it('scrubs secrets in names', () => {
    const event = {
      extra: { 'card 4111111111111111': { 'card 5555555555554444': 1 }, 'card 5555555555554444': 2 },
    }
    expect(scrubbed(event)).toEqual({
      extra: { 'card [creditcard]': { 'card [creditcard]': 1 }, 'card [creditcard] 2': 2 },
    })
    expect(JSON.stringify(scrub({ extra: { 'card 4111111111111111': { password: 'x' } } }))).not.toContain(
      '4111',
    )
  })

  it('removes addresses when enabled, even with all other rules off', () => {
    const event = {
      message: 'from 203.0.113.7',
      user: { id: '7', ip_address: '203.0.113.7' },
      request: {
        env: { REMOTE_ADDR: '203.0.113.7' },
        headers: { 'X-Forwarded-For': '203.0.113.7, 198.51.100.2' },
      },
      sdk: { client_ip: '203.0.113.7' },
      extra: { password: 'x' },
    }
    expect(scrub(event, { isOn: false })).toBe(event)
    expect(scrubbed(event, { isOn: false, ipAddresses: 'remove' })).toEqual({
      message: 'from [ip]',
      user: { id: '7', ip_address: null },
      request: { env: { REMOTE_ADDR: null }, headers: { 'X-Forwarded-For': '[ip], [ip]' } },
      sdk: { client_ip: null },
      extra: { password: 'x' },
    })
  })
})

const named = (count: number, name: (index: number) => string): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1]))

const remarks = (count: number): Json[] => Array.from({ length: count }, () => ['@rule', 'x'])

const messageWithParameters = (count: number): JsonObject => ({
  logentry: {
    message: 'password=%s '.repeat(600),
    params: Array.from({ length: count }, (_, index) => `word${index % 400}`),
  },
})

describe('hostile payloads', () => {
  it('stops at a depth that can be serialized', () => {
    let deep: JsonObject = { password: 'hunter2' }
    for (let level = 0; level < 20_000; level += 1) deep = { a: deep }
    const { value, nameCount } = scrubEvent(
      { extra: deep, _meta: deep },
      createScrubPlan(defaultScrubSettings),
    )
    expect(nameCount).toBe(40_004)
    const text = JSON.stringify(value)
    expect(text).not.toContain('hunter2')
    expect(text.split('{').length).toBeLessThan(5 * limits.scrubDepth)
  })

  it('keeps only the names that it has inspected, which include all names of an SDK', () => {
    const names = Array.from({ length: 60_000 }, (_, index) => (index * 2_654_435_761).toString(36))
    const many = Object.fromEntries(names.map((name) => [name, 'x']))
    const pairs = names.map((name): Json => [`token${name}`, 'hunter2'])
    const sent: JsonObject = {
      extra: many,
      other: many,
      tags: pairs,
      last: 'hunter2',
      request: { url: '/' },
      exception: { values: [{ type: 'Error', value: 'boom', stacktrace: { frames: [{ function: 'f' }] } }] },
    }
    const clean = scrub(sent)
    expect(clean['exception']).toEqual(sent['exception'])
    expect(clean['request']).toEqual({ url: '/' })
    const kept = isJsonObject(clean['extra']) ? Object.keys(clean['extra']) : []
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThanOrEqual(limits.scrubNames)
    expect(JSON.stringify(clean)).not.toContain('hunter2')
    expect(scrub(clean)).toEqual(clean)
  })

  it.each<[string, (count: number) => JsonObject]>([
    [
      'names that end up as one',
      (count) => ({ extra: named(count, (index) => `Bearer aaaaaaaaaaaa${100_000 + index}`) }),
    ],
    [
      'names that end up as one, among names with its numbers',
      (count) => ({
        extra: named(count, (index) =>
          index % 2 === 0 ? `Bearer aaaaaaaaaaaa${100_000 + index}` : `Bearer [token] ${index}`,
        ),
      }),
    ],
    ['parts of a cookie', (count) => ({ request: { cookies: 'a;'.repeat(20 * count) } })],
    ['parameters of a message', messageWithParameters],
    [
      'remarks of the sender',
      (count) => ({ extra: { a: 'pwd=x' }, _meta: { extra: { a: { '': { rem: remarks(count) } } } } }),
    ],
  ])('scrubs 20,000 %s in time that grows no faster than they do', (_, eventOf) => {
    const prepare = (count: number) => {
      const event = eventOf(count)
      return () => scrub(event)
    }
    expect(findExcessGrowth(prepare, 20_000)).toBeUndefined()
  })

  it('numbers names that become equal, in their order', () => {
    const names = ['to 4111111111111111', 'to [creditcard] 2', 'to 5555555555554444']
    const extra = Object.fromEntries(names.map((name, index) => [name, index]))
    expect(Object.entries(scrubbed({ extra })['extra'] ?? {})).toEqual([
      ['to [creditcard]', 0],
      ['to [creditcard] 2', 1],
      ['to [creditcard] 3', 2],
    ])
  })

  it('treats names with a meaning in JavaScript as plain names', () => {
    const event: unknown = JSON.parse(
      '{"extra":{"__proto__":{"password":"x","polluted":1},"constructor":{"token":"x"},"toString":"pwd=x"},"_meta":{"__proto__":{"":{"len":1}}}}',
    )
    const text = JSON.stringify(scrub(isJsonObject(event) ? event : {}))
    expect(text).toContain('"__proto__":{"password":"[Filtered]","polluted":1}')
    expect(text).toContain('"constructor":{"token":"[Filtered]"},"toString":"pwd=[Filtered]"')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('produces bounded output in bounded time', () => {
    const text = 'pwd=x '.repeat(170_000)
    const startedAt = threadCpuMs()
    const one = JSON.stringify(scrub({ message: text }))
    const many = JSON.stringify(
      scrub({ extra: { list: Array.from({ length: 2_000 }, () => text.slice(0, 500)) } }),
    )
    expect(threadCpuMs() - startedAt).toBeLessThan(2_000)
    expect(one.length).toBeLessThan(200)
    expect(many.length).toBeLessThan(1_000_000)
  })
})
