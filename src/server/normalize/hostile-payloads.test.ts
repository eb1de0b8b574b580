import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Event } from '#protocol/event.ts'
import { limits } from '#server/limits.ts'
import { threadCpuMs } from '#test/cpu-time.ts'
import { eventCulprit } from './culprit.ts'
import { indexedTags } from './fields/tags.ts'
import { normalizeEvent } from './normalize-event.ts'
import { eventTitle } from './title.ts'
import { userIdentity } from './user-identity.ts'

const receivedAt = Date.UTC(2026, 10, 21, 5)
const context = { eventId: 'a'.repeat(32), receivedAt, clientAddress: '192.0.2.1' }

const normalize = (raw: unknown): Event => normalizeEvent(raw, context)
const parse = (text: string): unknown => JSON.parse(text)

describe('normalizeEvent on hostile payloads', () => {
  it.each([null, 'x', 7, true, [], [1, 2], {}])('converts %j to an unlabeled event', (raw) => {
    const event = normalize(raw)
    expect(event).toMatchObject({
      type: 'default',
      level: 'error',
      platform: 'other',
      environment: 'production',
      occurredAt: receivedAt,
      exceptions: [],
      tags: [],
      extra: {},
      contexts: {},
    })
    expect(eventTitle(event)).toEqual({ title: '<unlabeled event>', subtitle: '' })
  })

  it('drops every field of the wrong type with an error, and keeps the message', () => {
    const event = normalize({
      logentry: { message: 'still here' },
      level: 7,
      timestamp: {},
      platform: [],
      tags: 'x',
      exception: { values: { '0': 1 } },
      threads: 'x',
      user: [],
      request: 'r',
      breadcrumbs: 7,
      contexts: [],
      sdk: 'x',
      fingerprint: { a: 1 },
      release: { x: 1 },
      environment: [],
      extra: 'e',
      modules: 7,
      stacktrace: 7,
      template: 7,
    })
    expect(event.message).toEqual({ formatted: 'still here' })
    expect(event.fieldErrors.map((error) => error.field).toSorted()).toEqual([
      'breadcrumbs',
      'contexts',
      'environment',
      'exception.values',
      'extra',
      'fingerprint',
      'level',
      'modules',
      'platform',
      'release',
      'request',
      'sdk',
      'stacktrace',
      'tags',
      'template',
      'threads',
      'timestamp',
      'user',
    ])
  })

  it('is not polluted by __proto__ keys', () => {
    const event = normalize(
      parse(
        '{"message":"p","__proto__":{"level":"fatal","polluted":1},"constructor":{"prototype":{"polluted":1}},"extra":{"__proto__":{"polluted":1}},"user":{"__proto__":{"id":"1"}},"tags":{"__proto__":"x","constructor":"y"},"contexts":{"__proto__":{"type":"x"},"a":{"__proto__":{"polluted":1},"b":1}}}',
      ),
    )
    expect(event.level).toBe('error')
    expect(event.extra).toEqual({})
    expect(event.contexts).toEqual({ a: { b: 1 } })
    expect(event.tags).toContainEqual(['constructor', 'y'])
    expect(event.user).toBeUndefined()
    expect(JSON.stringify(event)).not.toContain('polluted')
    expect('polluted' in {}).toBe(false)
  })

  it.each([
    ['deep lists', `{"extra":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`],
    ['deep objects as a message', `{"message":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
    ['deep exception values', `{"exception":[{"value":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`],
    ['number-like keys', `{"extra":{${Array.from({ length: 80_000 }, (_, key) => `"${key}":1`).join(',')}}}`],
    ['tags', `{"tags":{${Array.from({ length: 80_000 }, (_, key) => `"t${key}":"v"`).join(',')}}}`],
    ['frames', `{"stacktrace":{"frames":[${'{},'.repeat(300_000)}{}]}}`],
    ['exceptions', `{"exception":[${'{"type":"E"},'.repeat(80_000)}{}]}`],
    ['breadcrumbs', `{"breadcrumbs":[${'{"message":"b"},'.repeat(60_000)}{}]}`],
    ['fingerprints', `{"fingerprint":[${'"f",'.repeat(200_000)}"z"]}`],
    ['unreadable fields', `{"exception":[${'7,'.repeat(400_000)}7]}`],
    ['one text', `{"message":"${'a1-'.repeat(330_000)}"}`],
    ['one query', `{"request":{"url":"http://a/?${'a=b&'.repeat(250_000)}"}}`],
    ['one cookie', `{"request":{"cookies":"${'a=b;'.repeat(250_000)}"}}`],
  ])('normalizes a megabyte of %s quickly and keeps little of it', (_, text) => {
    const raw = parse(text)
    const startedAt = threadCpuMs()
    const kept = JSON.stringify(normalize(raw))
    expect(threadCpuMs() - startedAt).toBeLessThan(2000)
    expect(kept.length).toBeLessThan(150_000)
  })

  it('keeps no NUL and no lone surrogate', () => {
    const kept = JSON.stringify(
      normalize(
        parse(
          String.raw`{"message":"a\u0000b\ud800","tags":{"k\u0000":"v\udc00"},"extra":{"\udfff":"\u0000"},"exception":{"mechanism":"\ud800"}}`,
        ),
      ),
    )
    expect(kept).not.toMatch(/\\u0000|\\ud[89a-f]/i)
  })

  it('accepts any JSON in any field, is deterministic, and no reader of the event throws', () => {
    const fields = [
      'exception',
      'threads',
      'breadcrumbs',
      'stacktrace',
      'logentry',
      'message',
      'tags',
      'user',
      'request',
      'contexts',
      'extra',
      'modules',
      'fingerprint',
      'level',
      'timestamp',
      'platform',
      'release',
      'environment',
      'transaction',
      'type',
      'sdk',
      'csp',
      'template',
    ]
    const key = fc.constantFrom(
      'values',
      'frames',
      'stacktrace',
      'mechanism',
      'type',
      'value',
      'url',
      'headers',
      'cookies',
      'query_string',
      'data',
      'vars',
      'message',
      'params',
      'id',
      'ip_address',
      'name',
      'version',
      '__proto__',
      'browser',
      'trace',
    )
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.constantFrom(
          null,
          '',
          'x',
          'a\0b',
          '\ud800',
          0,
          -1,
          1.5,
          1e300,
          true,
          '{{auto}}',
          'http://a/?b#c',
        ),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 8 }), (raw) => {
        const event = normalize(raw)
        expect(normalize(structuredClone(raw))).toEqual(event)
        expect(JSON.stringify(event)).not.toMatch(/\\u0000|\\ud[89a-f]/i)
        expect(eventTitle(event).title).not.toBe('')
        expect(eventCulprit(event).length).toBeLessThanOrEqual(limits.culpritCharacters)
        expect(indexedTags(event).every(([tag, text]) => tag !== '' && text !== '')).toBe(true)
        userIdentity(event)
      }),
      { numRuns: 500 },
    )
  })
})
