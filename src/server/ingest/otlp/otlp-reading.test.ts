import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import { isJsonObject, type Json } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { limits } from '#server/limits.ts'
import { protobufField as field } from '#test/protobuf.ts'
import { OtlpReading, type OtlpEncoding, type OtlpResult } from './otlp-reading.ts'

/** Reads a request with a pause after each step. */
function read(body: Uint8Array | string, encoding: OtlpEncoding): OtlpResult {
  const reading = new OtlpReading(Buffer.from(body), encoding)
  while (!reading.isDone) reading.run(() => false)
  return reading.finish()
}

/** The spans of all items, as they are processed. */
function spansOf(result: OtlpResult): Json[] {
  if (result.kind !== 'read') throw new Error(result.kind)
  return result.items.flatMap(spansIn)
}

function spansIn({ payload }: EnvelopeItem): Json[] {
  const json = parsePayloadJson(payload)
  const spans = json.ok && isJsonObject(json.value) ? json.value['items'] : undefined
  return Array.isArray(spans) ? spans : []
}

const countsOf = (result: OtlpResult) =>
  result.kind === 'read' ? { spans: spansOf(result).length, ...Object.fromEntries(result.leftOut) } : result

const spanIn = (json: string) => `{"resourceSpans":[{"scopeSpans":[{"spans":[${json}]}]}]}`

describe('a request in protobuf', () => {
  it('is read or rejected, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(['read', 'invalid']).toContain(read(bytes, 'protobuf').kind)
      }),
    )
  })

  it('of a Collector with its default settings is read whole', () => {
    // Sent at 8,192 spans, with all spans of the request that completes it.
    const spanCount = 8_191 + 512
    const attributes = Array.from({ length: 20 }, (_, at) =>
      field(9, Buffer.concat([field(1, `http.request.header.x-${at}`), field(2, field(1, 'x'.repeat(40)))])),
    )
    const ids = [field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 1)), field(4, Buffer.alloc(8, 2))]
    const span = field(2, Buffer.concat([...ids, field(5, 'GET /orders'), field(6, 3), ...attributes]))
    const request = field(1, field(2, Buffer.concat(Array.from({ length: spanCount }, () => span))))
    expect(request.byteLength).toBeLessThan(limits.otlpBytes)
    const result = read(request, 'protobuf')
    const counts = result.kind === 'read' && result.items.map(({ header }) => Number(header['item_count']))
    expect([counts && counts.reduce((sum, count) => sum + count), result]).toEqual([
      spanCount,
      expect.objectContaining({ leftOut: new Map() }),
    ])
  })

  it('is invalid when a field is longer than the message, or a number does not end', () => {
    for (const bytes of [[0x0a, 0x05], [0x0a], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x09, 1], [0x0b]])
      expect(read(Uint8Array.from(bytes), 'protobuf')).toEqual({ kind: 'invalid' })
  })
})

describe('a request in JSON', () => {
  it('is read span by span, whatever they are', () => {
    const spans = fc.array(
      fc.dictionary(fc.constantFrom('traceId', 'kind', 'attributes', 'events'), fc.jsonValue()),
    )
    fc.assert(
      fc.property(fc.jsonValue(), spans, (noise, list) => {
        const request = { resourceSpans: [noise, { resource: noise, scopeSpans: [noise, { spans: list }] }] }
        expect(spansOf(read(JSON.stringify(request, undefined, 1), 'json'))).toHaveLength(list.length)
      }),
    )
  })

  it('is read or rejected, for any text', () => {
    const parts = fc.constantFrom(
      ...'{ } [ ] , : " \\ 1 é null'.split(' '),
      ' ',
      '"resourceSpans"',
      '"scopeSpans"',
      '"spans"',
      '"resource"',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (text) => {
        expect(['read', 'invalid']).toContain(read(text.join(''), 'json').kind)
      }),
    )
  })

  it.each([
    '',
    '[1]',
    'null',
    '{',
    '{"resourceSpans":',
    '{"resourceSpans":[}',
    '{"a":1}}',
    '{a:1}',
    '{"a" 1}',
  ])('is invalid: %s', (text) => {
    expect(read(text, 'json')).toEqual({ kind: 'invalid' })
  })

  it.each([spanIn('{"name":'), spanIn('{"name":}'), spanIn('{"name":"a"'), spanIn('{"name":"\\')])(
    'is invalid with a span that is not JSON: %s',
    (text) => {
      expect(read(text, 'json')).toEqual({ kind: 'invalid' })
    },
  )

  it('is read with its members in any order, texts with brackets and quotes, and a byte order mark', () => {
    const resource = { attributes: [{ key: 'service.version', value: { stringValue: 'a "}]{[\\' } }] }
    const parts = { scopeSpans: [{ spans: [{ name: '\\"}]' }], scope: {} }], resource, schemaUrl: '' }
    const [span] = spansOf(read(`\u{feff} ${JSON.stringify({ resourceSpans: [parts] })}\n`, 'json'))
    expect(span).toMatchObject({
      name: '\\"}]',
      attributes: { 'sentry.release': { value: 'a "}]{[\\' } },
    })
  })
})

const idOf = (at: number) => (at + 1).toString(16).padStart(16, '0')
const spanOf = (at: number, fields: object = {}) => ({ traceId: 'a', spanId: idOf(at), ...fields })
const itemsOf = (spans: object[]) => {
  const result = read(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }), 'json')
  return result.kind === 'read' ? result.items : []
}

describe('the items of a request', () => {
  it('have one trace each, whole, and name the root span of every span', () => {
    const spans = Array.from({ length: 600 }, (_, at) =>
      spanOf(at, {
        traceId: at % 2 === 0 ? 'a' : 'b',
        name: `${at}`,
        parentSpanId: at < 2 ? '' : idOf(at % 2),
      }),
    )
    const items = itemsOf(spans)
    expect(items.map(({ header }) => header['item_count'])).toEqual([300, 300])
    for (const [at, item] of items.entries()) {
      const [, ...children] = spansIn(item)
      const segment = { 'sentry.segment.id': { value: idOf(at) }, 'sentry.segment.name': { value: `${at}` } }
      const child = { trace_id: at === 0 ? 'a' : 'b', attributes: segment }
      expect(children).toMatchObject(Array.from({ length: 299 }, () => child))
    }
  })

  it('are split if a trace has more spans or bytes than one item may have', () => {
    const many = Array.from({ length: limits.spansPerSegment + 1 }, (_, at) => spanOf(at))
    expect(itemsOf(many).map(({ header }) => header['item_count'])).toEqual([limits.spansPerSegment, 1])
    const attributes = Array.from({ length: 60 }, (_, at) => ({
      key: `${at}`,
      value: { stringValue: 'ü'.repeat(4_000) },
    }))
    const large = Array.from({ length: 7 }, (_, at) => spanOf(at, { attributes }))
    const items = itemsOf(large)
    expect(items.map(({ header }) => header['item_count'])).toEqual([3, 3, 1])
    for (const { payload } of items) expect(payload.byteLength).toBeLessThanOrEqual(limits.otlpItemBytes)
  })

  it('have texts of a length that can be stored', () => {
    const attributes = [{ key: 'prompt', value: { stringValue: 'x'.repeat(3_000_000) } }]
    expect(itemsOf([spanOf(1, { attributes })])[0]?.payload.byteLength).toBeLessThan(
      2 * limits.otlpTextCharacters,
    )
  })
})

describe('a request with too many parts', () => {
  it('has spans that are counted, and not read', () => {
    const count = limits.otlpSpans + 7
    expect(countsOf(read(spanIn(Array.from({ length: count }, () => '{}').join(',')), 'json'))).toEqual({
      spans: limits.otlpSpans,
      too_many_spans: 7,
    })
  })

  it('is rejected', () => {
    const problem = `a span or resource has more than ${limits.otlpSpanFields} fields`
    const list = `[${'0,'.repeat(limits.otlpSpanFields)}0]`
    expect(read(spanIn(`{"a":${list}}`), 'json')).toEqual({ kind: 'too_large', problem })
    const events = Buffer.alloc(2 * limits.otlpSpanFields + 2, Buffer.from([0x5a, 0]))
    const span = Buffer.concat([Buffer.from([0x12, 0xa2, 0x9c, 0x01]), events])
    const scope = Buffer.concat([Buffer.from([0x12, 0xa6, 0x9c, 0x01]), span])
    expect(read(Buffer.concat([Buffer.from([0x0a, 0xaa, 0x9c, 0x01]), scope]), 'protobuf')).toEqual({
      kind: 'too_large',
      problem,
    })
  })

  it('may have any number of fields that are skipped', () => {
    expect(countsOf(read(`{"a":[${'0,'.repeat(limits.otlpFields)}0],"resourceSpans":[]}`, 'json'))).toEqual({
      spans: 0,
    })
  })
})

describe('a long text that each span gets', () => {
  const long = 'x'.repeat(100_000)
  const ids = { traceId: 'a'.repeat(32), spanId: '1'.repeat(16) }

  it.each([
    ['a name of the service', { stringValue: long }, {}],
    ['bytes as the name of the service', { bytesValue: long }, {}],
    [
      'a list of names',
      { arrayValue: { values: Array.from({ length: 100 }, () => ({ stringValue: long.slice(0, 1_000) })) } },
      {},
    ],
    ['the name of the root span', { stringValue: 'shop' }, { name: long }],
    ['the id of the root span', { stringValue: 'shop' }, { spanId: long }],
  ])('is not multiplied by the number of spans: %s', (_what, service, root) => {
    const first = { ...ids, ...root }
    const child = { ...ids, spanId: '2'.repeat(16), parentSpanId: first.spanId }
    const others = Array.from({ length: 1_000 }, (_, at) => ({
      ...ids,
      spanId: String(at).padStart(16, '3'),
      parentSpanId: child.spanId,
    }))
    const resource = { attributes: [{ key: 'service.name', value: service }] }
    const spans = [first, child, ...others]
    const result = read(JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }), 'json')
    expect(spansOf(result)).toHaveLength(spans.length)
    const bytes = result.kind === 'read' && result.items.map(({ payload }) => payload.byteLength)
    expect(bytes && bytes.reduce((sum, count) => sum + count)).toBeLessThan(2_500_000)
  })
})
