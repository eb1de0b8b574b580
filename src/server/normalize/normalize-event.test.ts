import { describe, expect, it } from 'vitest'
import type { Event } from '#protocol/event.ts'
import type { JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { normalizeEvent } from './normalize-event.ts'

const receivedAt = Date.UTC(2026, 10, 21, 5)
const context = { eventId: 'a'.repeat(32), receivedAt, clientAddress: '192.0.2.1' }

const normalize = (raw: unknown): Event => normalizeEvent(raw, context)
const firstException = (value: string) => normalize({ exception: { value } }).exceptions[0]

describe('normalizeEvent on the shapes SDKs use', () => {
  const frame = { function: 'f' }

  it.each([[[{ type: 'A' }, { type: 'B' }]], [{ values: [{ type: 'A' }, null, { type: 'B' }, {}] }]])(
    'reads exceptions from %j',
    (exception) => {
      expect(normalize({ exception }).exceptions).toEqual([{ type: 'A' }, { type: 'B' }])
      expect(normalize({ 'sentry.interfaces.Exception': exception }).exceptions).toHaveLength(2)
    },
  )

  it('reads a single exception with its mechanism', () => {
    const mechanism = {
      type: 'chained',
      handled: false,
      exception_id: 1,
      parent_id: 0,
      is_exception_group: true,
    }
    const event = normalize({ exception: { type: 'A', value: 5, thread_id: 259, mechanism } })
    expect(event.type).toBe('error')
    expect(event.exceptions).toEqual([
      {
        type: 'A',
        value: '5',
        threadId: '259',
        mechanism: { type: 'chained', handled: false, exceptionId: 1, parentId: 0, isExceptionGroup: true },
      },
    ])
    expect(normalize({ exception: { type: 'A', mechanism: {} } }).exceptions).toEqual([{ type: 'A' }])
    expect(normalize({ exception: { type: 'A', mechanism: 'generic' } }).exceptions[0]?.mechanism).toEqual({
      type: 'generic',
    })
  })

  it('keeps the last thrown exceptions when there are too many', () => {
    const exception = Array.from({ length: 60 }, (_, index) => ({ type: `E${index}` }))
    const event = normalize({ exception })
    expect(event.exceptions.at(-1)?.type).toBe('E59')
    expect(event.exceptions).toHaveLength(limits.exceptions)
    expect(event.fieldErrors).toEqual([{ field: 'exception', reason: 'too_many' }])
  })

  it.each(['sentry.java.android.react-native/8.2.0', 'sentry.cocoa.capacitor/8.57.0'])(
    'finds no system in the name of the native SDK that sends the events of an app: %s',
    (userAgent) => {
      const sent = { platform: 'javascript', contexts: { os: { name: 'Android', version: '15' } } }
      expect(normalizeEvent(sent, { ...context, userAgent }).contexts).toEqual(sent.contexts)
    },
  )

  it('finds the type in a value only when it looks like a type name', () => {
    expect(firstException('java.lang.IllegalStateException: no')).toEqual({
      type: 'java.lang.IllegalStateException',
      value: 'no',
    })
    expect(firstException('http://a')).toEqual({ value: 'http://a' })
    expect(firstException('Note: x')).toEqual({ value: 'Note: x' })
  })

  it('serializes an exception value that is not a string as JSON', () => {
    expect(normalize({ exception: { type: 'A', value: { code: 7 } } }).exceptions[0]?.value).toBe(
      '{"code":7}',
    )
  })

  it('assigns a separate stack trace to the exception, else to a thread', () => {
    const stacktrace = { frames: [frame] }
    expect(normalize({ stacktrace, exception: { type: 'A' } }).exceptions[0]?.stackTrace).toEqual(stacktrace)
    expect(normalize({ stacktrace }).threads).toEqual([{ current: true, stackTrace: stacktrace }])
    const own = { type: 'A', stacktrace: { frames: [{ function: 'own' }] } }
    const event = normalize({ stacktrace, exception: own })
    expect(event.exceptions[0]?.stackTrace?.frames).toEqual([{ function: 'own' }])
    expect(event.threads).toEqual([])
  })

  it('reads threads', () => {
    const values = [
      { id: 42, name: 'main', crashed: false, current: true, stacktrace: { frames: [frame] } },
      null,
      {},
    ]
    expect(normalize({ threads: { values } }).threads).toEqual([
      { id: '42', name: 'main', crashed: false, current: true, stackTrace: { frames: [frame] } },
    ])
  })

  it('keeps the newest breadcrumbs', () => {
    const values: JsonObject[] = Array.from({ length: 150 }, (_, index) => ({ message: `b${index}` }))
    values.push({
      timestamp: 1795229355.421,
      type: 'http',
      category: 'fetch',
      level: 'warn',
      data: { url: '/' },
    })
    const event = normalize({ breadcrumbs: { values } })
    expect(event.breadcrumbs).toHaveLength(limits.breadcrumbs)
    expect(event.breadcrumbs[0]).toEqual({ level: 'info', message: 'b51' })
    expect(event.breadcrumbs.at(-1)).toEqual({
      at: 1_795_229_355_421,
      type: 'http',
      category: 'fetch',
      level: 'warning',
      data: { url: '/' },
    })
  })

  it.each([
    [{ message: 'hi' }, { formatted: 'hi' }],
    [
      { message: { formatted: 'hi Jo', message: 'hi %s', params: ['Jo'] } },
      { formatted: 'hi Jo', template: 'hi %s', params: ['Jo'] },
    ],
    [{ logentry: 'hi', message: 'other' }, { formatted: 'hi' }],
    [
      { logentry: { message: 'hi %s', params: ['Jo'] } },
      { formatted: 'hi Jo', template: 'hi %s', params: ['Jo'] },
    ],
    [{ logentry: { message: 'hi', formatted: 'hi', params: [] } }, { formatted: 'hi' }],
    [{ logentry: {}, message: 'hi' }, { formatted: 'hi' }],
    [{ 'sentry.interfaces.Message': { message: 'hi' } }, { formatted: 'hi' }],
    [{ message: '  \n ' }, undefined],
  ])('reads the message of %j', (raw, message) => {
    expect(normalize(raw).message).toEqual(message)
  })

  it.each([
    ['fatal', 'fatal'],
    ['critical', 'fatal'],
    ['WARN', 'warning'],
    ['log', 'info'],
    [40, 'error'],
    ['10', 'debug'],
    ['nonsense', 'error'],
    [null, 'error'],
  ])('reads level %j as %s', (sent, level) => {
    expect(normalize({ level: sent }).level).toBe(level)
  })

  it.each([
    ['2026-11-21T04:59:00.5', Date.UTC(2026, 10, 21, 4, 59, 0, 500), undefined],
    [receivedAt / 1000 + 59, receivedAt + 59_000, undefined],
    [receivedAt / 1000 + 61, receivedAt, 'future_timestamp'],
    [receivedAt / 1000 - 31 * 86_400, receivedAt, 'past_timestamp'],
    [receivedAt, receivedAt, 'wrong_type'],
    [1e20, receivedAt, 'wrong_type'],
    ['yesterday', receivedAt, 'wrong_type'],
    [null, receivedAt, undefined],
  ])('parses the timestamp %j as %d', (timestamp, occurredAt, reason) => {
    const event = normalize({ timestamp })
    expect(event.occurredAt).toBe(occurredAt)
    expect(event.fieldErrors).toEqual(reason === undefined ? [] : [{ field: 'timestamp', reason }])
  })

  it.each([
    [
      { a: 'x', b: 1, c: true, d: null, e: '' },
      [
        ['a', 'x'],
        ['b', '1'],
        ['c', 'true'],
      ],
    ],
    [[['a', 'x'], ['a', 'y'], null, ['b'], 7], [['a', 'x']]],
    [[{ key: 'a', value: 'x' }], [['a', 'x']]],
    [{ 'a b': 'one\ntwo' }, [['a-b', 'one two']]],
  ])('reads tags %j', (tags, expected) => {
    expect(normalize({ tags }).tags).toEqual(expected)
  })

  it('reads release, dist, environment and the other names', () => {
    const raw = {
      release: 1.5,
      dist: 7,
      environment: ' staging ',
      server_name: 'web-1',
      logger: 'app',
      checksum: 'c',
    }
    expect(normalize(raw)).toMatchObject({
      release: '1.5',
      dist: '7',
      environment: 'staging',
      serverName: 'web-1',
      logger: 'app',
      checksum: 'c',
    })
    expect(normalize({ release: '', environment: '' })).not.toHaveProperty('release')
    expect(normalize({ environment: 'none' }).environment).toBe('production')
    const tagged = normalize({ tags: { environment: 'staging', a: 'b' } })
    expect(tagged).toMatchObject({ environment: 'staging', tags: [['a', 'b']] })
  })

  it.each([
    [
      ['{{ default }}', 7, 'x'],
      ['{{ default }}', '7', 'x'],
    ],
    ['x', ['x']],
    [
      ['x', null, 'y'],
      ['x', 'y'],
    ],
    [
      ['x', true, false],
      ['x', 'True', 'False'],
    ],
    [
      [-22, 1.5, 1e100],
      ['-22', '1'],
    ],
    [['x', { a: 1 }, [2]], ['x']],
    [[{ a: 1 }], undefined],
    [[null], undefined],
    [[], undefined],
    [[' '], undefined],
  ])('reads fingerprint %j', (fingerprint, expected) => {
    expect(normalize({ fingerprint }).fingerprint).toEqual(expected)
  })

  it('keeps the contexts of SDKs beside a state of an application that exceeds the limit', () => {
    const state = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`key${index}`, 'value']))
    const trace = { trace_id: 'a'.repeat(32) }
    const event = normalize({ contexts: { state, trace, os: { name: 'iOS' } } })
    expect(event).toMatchObject({ traceId: 'a'.repeat(32), contexts: { trace, os: { name: 'iOS' } } })
    expect(event.contexts['state']).toMatchObject({ key0: 'value' })
    expect(event.fieldErrors).toEqual([{ field: 'contexts', reason: 'too_long' }])
  })

  it.each([
    ['0'.repeat(32), undefined],
    ['ABCDEF01-2345-6789-abcd-ef0123456789', 'abcdef0123456789abcdef0123456789'],
  ])('reads the trace id %s', (sent, expected) => {
    expect(normalize({ contexts: { trace: { trace_id: sent } } }).traceId).toBe(expected)
  })

  it('reads contexts, the trace, modules and the SDK', () => {
    const event = normalize({
      contexts: { trace: { trace_id: 'ABCDEF0123456789abcdef0123456789' }, empty: {}, none: null, text: 'x' },
      modules: { react: '19.3.1', odd: 7 },
      sdk: { name: 'sentry.javascript.node', version: '10.75.2', packages: [] },
    })
    expect(event.traceId).toBe('abcdef0123456789abcdef0123456789')
    expect(Object.keys(event.contexts)).toEqual(['trace', 'text'])
    expect(event.modules).toEqual([
      ['react', '19.3.1'],
      ['odd', '7'],
    ])
    expect(event.sdk).toEqual({ name: 'sentry.javascript.node', version: '10.75.2' })
  })

  it('distinguishes transactions from errors', () => {
    expect(normalize({ type: 'transaction', transaction: 'GET /' })).toMatchObject({
      type: 'transaction',
      level: 'info',
    })
  })

  it('shares free-form data that needs no change', () => {
    const extra = { a: { b: 1 } }
    expect(normalize({ extra }).extra).toBe(extra)
  })
})
