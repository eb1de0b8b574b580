import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { limits } from '#server/limits.ts'
import {
  child,
  receivedAt,
  rootId,
  seconds,
  spanV2,
  textAttribute,
  traceId,
  transaction,
} from '#test/span-payloads.ts'
import { dayMs } from '#time/time-steps.ts'
import { endOf, findAttribute, type TraceSegment } from '#traces/span.ts'
import type { ReadSpans } from './read-segment.ts'
import { readSpanItemV1 } from './span-v1.ts'
import { readSpansV2 } from './span-v2.ts'
import { readTransaction } from './transaction.ts'

/** Parses like ingest. */
function toJson(sent: string): Json {
  const parsed = parsePayloadJson(Buffer.from(`{"value":${sent}}`))
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error('no JSON')
  return parsed.value['value'] ?? null
}

const context = { receivedAt }
const read = (fields?: JsonObject, trace?: JsonObject) => readTransaction(transaction(fields, trace), context)
const readV2 = (...items: Json[]) => readSpansV2(items, context)

function segmentOf({ segments }: ReadSpans): TraceSegment {
  const [segment] = segments
  if (segment === undefined) throw new Error('there is no segment')
  return segment
}

function droppedOf({ dropped }: ReadSpans): Record<string, number> {
  return Object.fromEntries(dropped)
}

describe('a transaction', () => {
  it('is a segment with its root span first', () => {
    const result = read({ spans: [child()] }, { client_sample_rate: 0.25 })
    expect(droppedOf(result)).toEqual({})
    const segment = segmentOf(result)
    expect(segment).toMatchObject({
      kind: 'transaction',
      traceId,
      transaction: 'GET /orders/:id',
      transactionSource: 'route',
      environment: 'staging',
      release: 'my-app@1.2.3',
      platform: 'node',
      sampleRate: 0.25,
    })
    expect(segment.spans).toMatchObject([
      {
        spanId: rootId,
        isSegment: true,
        segmentId: rootId,
        op: 'http.server',
        name: 'GET /orders/:id',
        status: 'ok',
      },
      {
        isSegment: false,
        parentSpanId: rootId,
        segmentId: rootId,
        op: 'db.query',
        name: 'SELECT 1',
        durationUs: 100,
      },
    ])
    expect(segment.spans[0].startedAt).toBe(receivedAt - 1500)
    expect(segment.spans[0].durationUs).toBe(250_000)
  })

  it.each([
    [5e-324, limits.lowestSampleRate],
    ['6e-309', limits.lowestSampleRate],
    [limits.lowestSampleRate, limits.lowestSampleRate],
    [0, 1],
    [-1, 1],
    [1.5, 1],
    [Number.NaN, 1],
    ['many', 1],
  ])('with the sample rate %s has one of %s', (sent, rate) => {
    expect(segmentOf(read({}, { client_sample_rate: sent })).sampleRate).toBe(rate)
    expect(segmentOf(read({}, { data: { 'sentry.sample_rate': sent } })).sampleRate).toBe(rate)
    expect(segmentOf(readTransaction(transaction(), { receivedAt, sampleRate: sent })).sampleRate).toBe(rate)
    const attribute = { 'sentry.sample_rate': { value: sent } }
    expect(segmentOf(readV2(spanV2({}, attribute))).sampleRate).toBe(rate)
    const sampled = { receivedAt, sampleRate: sent }
    expect(segmentOf(readSpansV2([spanV2()], sampled)).sampleRate).toBe(rate)
    expect(segmentOf(readSpanItemV1(child({ trace_id: traceId }), sampled)).sampleRate).toBe(rate)
  })

  it('keeps microseconds, however its times are written', () => {
    const times = {
      start_timestamp: '2026-11-25T23:59:59.123456Z',
      timestamp: '2026-11-25T23:59:59.123956+00:00',
    }
    const [root] = segmentOf(read(times)).spans
    expect([root.startedAt, root.durationUs]).toEqual([receivedAt - 1000 + 123.456, 500])
  })

  it('has its measurements, request and tags as attributes', () => {
    const measurements = {
      lcp: { value: 512.5, unit: 'millisecond' },
      'connection.rtt': { value: 50 },
      bad: 1,
    }
    const request = { url: 'https://example.com/orders/7', method: 'GET', headers: { 'User-Agent': 'curl' } }
    const [root] = segmentOf(read({ measurements, request, tags: { region: 'eu' } })).spans
    expect(root.attributes).toMatchObject({
      'browser.web_vital.lcp.value': 512.5,
      'measurement.connection.rtt': 50,
      'url.full': 'https://example.com/orders/7',
      'user_agent.original': 'curl',
      region: 'eu',
    })
  })

  it('has its attributes under their current names', () => {
    const data = {
      'http.method': 'POST',
      'http.target': '/a?b',
      'db.system': 'mysql',
      'db.system.name': 'later',
    }
    const [, span] = segmentOf(read({ spans: [child({ data })] })).spans
    expect(span?.attributes).toEqual({
      'http.request.method': 'POST',
      'url.path': '/a',
      'url.query': 'b',
      'db.system.name': 'mysql',
    })
  })

  it('is invalid without ids and times, with ids of zeros, or with an end before its start', () => {
    const invalid = { invalid_transaction: 1 }
    expect(droppedOf(read({ contexts: {} }))).toEqual(invalid)
    expect(droppedOf(read({}, { trace_id: '0'.repeat(32) }))).toEqual(invalid)
    expect(droppedOf(read({}, { span_id: '0'.repeat(16) }))).toEqual(invalid)
    expect(droppedOf(read({ start_timestamp: seconds }))).toEqual(invalid)
    expect(droppedOf(read({ timestamp: 'yesterday' }))).toEqual(invalid)
    expect(droppedOf(read({ start_timestamp: 1 }))).toEqual(invalid)
  })

  it('ends a span without an end, which was open when the transaction was sent', () => {
    const result = read({ spans: [child({ timestamp: null, status: 'ok' })] })
    const [root, open] = segmentOf(result).spans
    expect(droppedOf(result)).toEqual({})
    expect(open).toMatchObject({ status: 'error', statusText: 'deadline_exceeded' })
    expect((open?.startedAt ?? 0) + (open?.durationUs ?? 0) / 1000).toBeCloseTo(
      root.startedAt + root.durationUs / 1000,
      2,
    )
  })

  it.each([
    [undefined, 'ok'],
    ['success', 'ok'],
    ['failure', 'internal_error'],
    ['unknown_error', 'unknown'],
    ['not_found', 'not_found'],
    [0, 'ok'],
    [13, 'internal_error'],
    [99, 'ok'],
  ])('reads the status %j as %s', (status, statusText) => {
    const [root] = segmentOf(read({}, { status: status ?? null })).spans
    expect(root).toMatchObject({ statusText, status: statusText === 'ok' ? 'ok' : 'error' })
  })

  it('loses a span that ends before it begins, a copy and one without an id, and keeps the others', () => {
    const spans = [
      child(),
      child(),
      child({ span_id: '1'.repeat(16), timestamp: seconds - 1.5 }),
      child({ span_id: '' }),
      child({ span_id: rootId }),
      null,
      7,
      child({ span_id: 'ABCDEF0123456789', parent_span_id: 'nonsense' }),
    ]
    const result = read({ spans })
    expect(droppedOf(result)).toEqual({ invalid_span: 6 })
    expect(segmentOf(result).spans.map(({ spanId }) => spanId)).toEqual([
      rootId,
      '8068b0773cfe3e21',
      'abcdef0123456789',
    ])
  })

  it('is cut at the limit of spans, and counts the others', () => {
    const spans = Array.from({ length: 100_000 }, (_, index) =>
      child({ span_id: (index + 1).toString(16).padStart(16, '0') }),
    )
    const result = read({ spans })
    expect(segmentOf(result).spans).toHaveLength(limits.spansPerSegment)
    expect(droppedOf(result)).toEqual({ too_many_spans: 100_001 - limits.spansPerSegment })
  })

  it('bounds attributes in number and length', () => {
    const data = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`key ${index}`, 'x'.repeat(5_000)]),
    )
    const [, span] = segmentOf(
      read({ spans: [child({ data: { ...data, list: [1] }, description: 'y'.repeat(9_000) })] }),
    ).spans
    expect(Object.keys(span?.attributes ?? {})).toHaveLength(limits.spanAttributes)
    expect(span?.description).toHaveLength(limits.spanDescriptionCharacters)
    expect(Object.values(span?.attributes ?? {}).every((value) => String(value).length <= 1_024)).toBe(true)
  })

  it('does not let a sender choose a prototype', () => {
    const data = toJson('{"__proto__":{"isAdmin":true},"constructor":"c","list":[1,2]}')
    const [, span] = segmentOf(read({ spans: [child({ data })] })).spans
    expect(span && findAttribute(span, 'isAdmin')).toBeUndefined()
    expect(span && findAttribute(span, 'toString')).toBeUndefined()
    expect(span && findAttribute(span, 'constructor')).toBe('c')
    expect(span && findAttribute(span, 'list')).toBe('[1,2]')
  })

  it('moves its times when the clock of its sender was off', () => {
    const sentAt = receivedAt - 10 * 365 * dayMs
    const raw = transaction({ start_timestamp: sentAt / 1000 - 2, timestamp: sentAt / 1000 - 1 })
    const [root] = segmentOf(readTransaction(raw, { receivedAt, sentAt })).spans
    expect([root.startedAt, endOf(root)]).toEqual([receivedAt - 2000, receivedAt - 1000])
  })
})

describe('spans of version 2', () => {
  it('are one segment for each trace, the root span first', () => {
    const other = 'a'.repeat(32)
    const query = spanV2(
      { span_id: '1'.repeat(16), parent_span_id: rootId, is_segment: false, name: 'SELECT', status: 'error' },
      {
        'sentry.op': textAttribute('db.query'),
        'sentry.segment.id': textAttribute(rootId),
        'sentry.status.message': textAttribute('not_found'),
        'db.query.text': textAttribute('SELECT 1'),
      },
    )
    const result = readV2(query, spanV2(), spanV2({ trace_id: other }))
    expect(result.segments.map((segment) => [segment.traceId, segment.spans.length])).toEqual([
      [traceId, 2],
      [other, 1],
    ])
    const segment = segmentOf(result)
    expect(segment).toMatchObject({
      kind: 'spans',
      transaction: 'GET',
      transactionSource: 'route',
      environment: 'staging',
      release: 'my-app@1.2.3',
      platform: 'node',
      sampleRate: 1,
    })
    expect(segment.spans[1]).toMatchObject({
      op: 'db.query',
      segmentId: rootId,
      description: 'SELECT 1',
      status: 'error',
      statusText: 'not_found',
      attributes: { 'db.query.text': 'SELECT 1' },
    })
  })

  it('have a description by earlier names of attributes, too', () => {
    const query = spanV2(
      {},
      { 'db.statement': textAttribute('SELECT 1'), 'db.system': textAttribute('mysql') },
    )
    const [span] = segmentOf(readV2(query)).spans
    expect([span.description, span.attributes['db.query.text']]).toEqual(['SELECT 1', 'SELECT 1'])
  })

  it('have the name of their segment when its root is in another envelope', () => {
    const only = spanV2({ is_segment: false }, { 'sentry.segment.name': textAttribute('GET /orders/:id') })
    expect(segmentOf(readV2(only)).transaction).toBe('GET /orders/:id')
  })

  it('have the names of their segments when these are several, with their roots in other envelopes', () => {
    const ids = ['a', 'b', 'b'].map((digit) => digit.repeat(16))
    const spans = ids.map((id, at) =>
      spanV2(
        { is_segment: false, span_id: String(at + 1).repeat(16) },
        {
          'sentry.segment.id': textAttribute(id),
          'sentry.segment.name': textAttribute(`GET /${id.charAt(0)}`),
        },
      ),
    )
    expect(segmentOf(readV2(...spans))).toMatchObject({
      transaction: 'GET /a',
      otherTransactions: new Map([
        [ids[0], 'GET /a'],
        [ids[1], 'GET /b'],
      ]),
    })
    expect(segmentOf(readV2(...spans.slice(1))).otherTransactions).toBeUndefined()
  })

  it('of an interaction are not root spans', () => {
    const click = spanV2({}, { 'sentry.op': textAttribute('ui.interaction.click') })
    expect(segmentOf(readV2(click)).spans[0].isSegment).toBe(false)
    const item = child({
      trace_id: traceId,
      op: 'ui.interaction.click',
      is_segment: true,
      measurements: { inp: { value: 24 } },
    })
    const [span] = segmentOf(readSpanItemV1(item, context)).spans
    expect([span.isSegment, findAttribute(span, 'browser.web_vital.inp.value')]).toEqual([false, 24])
  })

  it.each(['ui.load', 'ui.action.click'])('of an app’s screen (%s) are root spans', (op) => {
    expect(segmentOf(readV2(spanV2({}, { 'sentry.op': textAttribute(op) }))).spans[0].isSegment).toBe(true)
    const item = child({ trace_id: traceId, op, is_segment: true })
    expect(segmentOf(readSpanItemV1(item, context)).spans[0].isSegment).toBe(true)
  })

  it('are counted when they cannot be read', () => {
    expect(
      droppedOf(readV2(null, 1, [], {}, spanV2({ trace_id: '0'.repeat(32) }), spanV2({ end_timestamp: 1 }))),
    ).toEqual({
      invalid_span: 6,
    })
  })
})

/** Every span is either in a segment once, or counted as dropped. */
function expectAccounted({ segments, dropped }: ReadSpans, count: number): void {
  const kept = segments.reduce((sum, { spans }) => sum + spans.length, 0)
  expect(kept + [...dropped.values()].reduce((sum, each) => sum + each, 0)).toBe(count)
  for (const span of segments.flatMap(({ spans }) => spans)) {
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(
      Number.isFinite(span.startedAt) && Number.isSafeInteger(span.durationUs) && span.durationUs >= 0,
    ).toBe(true)
    expect(() => JSON.stringify(span.attributes)).not.toThrow()
  }
}

describe('any JSON', () => {
  const jsonObject = fc.dictionary(fc.string(), fc.jsonValue())
  const noise = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<Json>(traceId, rootId, seconds, '0', { value: Number.MAX_VALUE }),
  )
  const entry = fc.record({
    trace_id: fc.oneof(fc.constant(traceId), noise),
    span_id: fc.oneof(fc.constantFrom(rootId, '1'.repeat(16), '2'.repeat(16)), noise),
    parent_span_id: fc.oneof(fc.constantFrom(rootId, '1'.repeat(16), '2'.repeat(16)), noise),
    start_timestamp: fc.oneof(fc.double(), fc.constant(seconds), noise),
    timestamp: fc.oneof(fc.double(), fc.constant(seconds), noise),
    end_timestamp: fc.oneof(fc.double(), fc.constant(seconds), noise),
    op: noise,
    name: noise,
    is_segment: noise,
    status: noise,
    attributes: fc.oneof(noise, fc.dictionary(fc.string(), fc.record({ value: noise }))),
    data: noise,
    measurements: fc.oneof(noise, jsonObject),
  })

  it('is parsed without an exception, and each of its spans is kept or counted', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, noise), { maxLength: 12 }), (entries) => {
        const spans = entries.map((each) => toJson(JSON.stringify(each)))
        expectAccounted(readV2(...spans), spans.length)
        expectAccounted(read({ spans }), spans.length + 1)
      }),
    )
    fc.assert(
      fc.property(jsonObject, (raw) => {
        const value = toJson(JSON.stringify(raw))
        if (!isJsonObject(value)) throw new Error('an object became none')
        expectAccounted(readTransaction(value, context), 1)
        expectAccounted(readSpanItemV1(value, context), 1)
      }),
    )
  })
})
