import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Envelope, envelopeLimits, parseEnvelope, serializeEnvelope } from './envelope.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

const eventId = '9ec79c33ec9942ab8353589fcb2e04dc'
const header = `{"event_id":"${eventId}","dsn":"https://e12d836b15bb49d7bbf99e64295d995b:@sentry.io/42"}`

function parsed(body: string | Uint8Array): Envelope {
  const result = parseEnvelope(typeof body === 'string' ? encode(body) : body)
  if (!result.ok) throw new Error(result.problem)
  return result.envelope
}

/** Types and payloads of a body's items, the payloads as text. */
function itemsOf(body: string): [type: string, payload: string][] {
  return parsed(body).items.map((item) => [item.type, decode(item.payload)])
}

function problemOf(body: string | Uint8Array): string | undefined {
  const result = parseEnvelope(typeof body === 'string' ? encode(body) : body)
  return result.ok ? undefined : result.problem
}

const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`

describe('parseEnvelope', () => {
  it('reads the header', () => {
    const envelope = parsed(
      '{"event_id":"9EC79C33-EC99-42AB-8353-589FCB2E04DC","sent_at":"2026-11-21T02:49:15.431Z","dsn":"x","future":[1],"sdk":{"name":"a","version":"1"}}',
    )
    expect(envelope.header).toMatchObject({
      eventId,
      dsn: 'x',
      sentAt: Date.UTC(2026, 10, 21, 2, 49, 15, 431),
      sdk: { name: 'a', version: '1' },
      raw: { future: [1] },
    })
  })

  it.each(['{}', '{}\n', '{"sent_at":null}', '{"event_id":null,"sdk":null,"length":3}', '{}\n\n\r\n  '])(
    'accepts an envelope without items: %j',
    (body) => {
      expect(itemsOf(body)).toEqual([])
    },
  )

  it('returns payloads as views of the given bytes', () => {
    const bytes = encode(`${header}\n{"type":"attachment","length":3}\nabc\n`)
    expect(parsed(bytes).items[0]?.payload.buffer).toBe(bytes.buffer)
  })

  it.each([
    [
      'two empty attachments',
      '{"type":"a","length":0}\n\n{"type":"b","length":0}\n',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    ['an empty payload at the end', '{"type":"a","length":0}', [['a', '']]],
    ['an item header at the end', '{"type":"a"}', [['a', '']]],
    ['a payload up to the newline', '{"type":"a"}\nhello\n', [['a', 'hello']]],
    ['a payload up to the end', '{"type":"a"}\nhello', [['a', 'hello']]],
    ['length null', '{"type":"a","length":null}\nhello\n', [['a', 'hello']]],
    [
      'newlines in a sized payload',
      '{"type":"a","length":5}\n\n\nb\n\n\n{"type":"c"}\nd',
      [
        ['a', '\n\nb\n\n'],
        ['c', 'd'],
      ],
    ],
    [
      'a BOM and CRLF in a sized payload',
      '{"type":"a","length":10}\n\ufeffHello\r\n\n',
      [['a', '\ufeffHello\r\n']],
    ],
    [
      'an item header inside a sized payload',
      '{"type":"a","length":17}\n{"type":"event"}\n\n{"type":"b"}\nx',
      [
        ['a', '{"type":"event"}\n'],
        ['b', 'x'],
      ],
    ],
    ['bytes, not characters', '{"type":"a","length":9}\né😀\u2028\n', [['a', 'é😀\u2028']]],
    [
      'unknown types',
      '{"type":"quantum_flux","length":3}\na\nb\n{"type":"event"}\n{}',
      [
        ['quantum_flux', 'a\nb'],
        ['event', '{}'],
      ],
    ],
    ['a length that takes the newline', '{"type":"a","length":3}\n{}\n', [['a', '{}\n']]],
    ['a carriage return in an unsized payload', '{"type":"a"}\nx\r\n', [['a', 'x\r']]],
    [
      'blank lines between items',
      '{"type":"a"}\nx\n\n \n{"type":"b"}\ny\n\n',
      [
        ['a', 'x'],
        ['b', 'y'],
      ],
    ],
    [
      'CRLF after headers and sized payloads',
      '{"type":"a","length":1}\r\nx\r\n{"type":"b"} \t\ny',
      [
        ['a', 'x'],
        ['b', 'y'],
      ],
    ],
  ])('reads %s', (_, items, expected) => {
    expect(itemsOf(`${header}\n${items}`)).toEqual(expected)
  })

  it.each(['\n', '\r\n', ' ', '\ufeff'])('skips %j before the header', (blank) => {
    expect(itemsOf(`${blank}{}\n{"type":"a"}\nx`)).toEqual([['a', 'x']])
  })

  it('treats the nil event id as missing', () => {
    expect(parsed('{"event_id":"00000000-0000-0000-0000-000000000000"}').header.eventId).toBeUndefined()
  })

  it.each([
    ['no bytes', ''],
    ['blank lines only', '\n\n \n'],
    ['a header that is not JSON', 'broken\n{"type":"event"}\n{}\n'],
    ['a header that is a text', '"x"\n'],
    ['a header that is a list', '[]\n'],
    ['a header that is null', 'null\n'],
    ['a truncated header', '{"event_id":"9ec79c33'],
    ['two headers on one line', '{}{}\n'],
    ['a header over two lines', '{"event_id":\n"9ec79c33ec9942ab8353589fcb2e04dc"}\n'],
    ['an event id that is none', '{"event_id":{"$gt":""}}'],
    ['an event id that is too short', '{"event_id":"9ec79c33"}'],
    ['an item header that is not JSON', '{}\ntype=event\nx\n'],
    ['a truncated item header', '{}\n{"type":"event"'],
    ['an item without a type', '{}\n{"length":2}\n{}\n'],
    ['a type that is a number', '{}\n{"type":123}\n{}\n'],
    ['a type on the prototype only', '{}\n{"__proto__":{"type":"event"}}\n{}\n'],
    ['a length that is a text', '{}\n{"type":"event","length":"2"}\n{}\n'],
    ['a negative length', '{}\n{"type":"event","length":-1}\n{}\n'],
    ['a fractional length', '{}\n{"type":"event","length":1.5}\n{}\n'],
    ['a length past the end', '{}\n{"type":"event","length":4}\n{}\n'],
    ['a huge length', '{}\n{"type":"event","length":18446744073709551615}\n{}\n'],
    ['an absurd length', '{}\n{"type":"event","length":1e308}\n{}\n'],
    ['a length that is too short', '{}\n{"type":"event","length":1}\n{}\n'],
    ['length 0 before a payload', '{}\n{"type":"event","length":0}\n{"message":"x"}\n'],
    ['a length in characters', '{}\n{"type":"event","length":3}\né😀\n'],
  ])('rejects %s', (_, body) => {
    expect(problemOf(body)).toBeTypeOf('string')
  })

  it('rejects invalid UTF-8 in a header, but not in a payload', () => {
    const invalid = Uint8Array.of(0xff)
    expect(problemOf(Buffer.concat([encode('{"x":"'), invalid, encode('"}')]))).toBeTypeOf('string')
    expect(problemOf(Buffer.concat([encode('{}\n{"type":"a"}\n'), invalid]))).toBeUndefined()
  })

  it('rejects UTF-16', () => {
    expect(problemOf(Buffer.from('{}\n{"type":"a"}\nx', 'utf16le'))).toBeTypeOf('string')
  })

  it('bounds header lines and the number of items', () => {
    expect(problemOf(`{"a":"${'a'.repeat(envelopeLimits.headerBytes)}"}`)).toBe('envelope header too long')
    const filler = 'a'.repeat(envelopeLimits.headerBytes - 100)
    expect(problemOf(`{}\n${`{"type":"a","b":"${filler}"}\n{}\n`.repeat(9)}`)).toBe('headers too long')
    expect(problemOf(`{}\n{"type":"a","b":"${'a'.repeat(envelopeLimits.headerBytes)}"}\n`)).toBe(
      'item header too long',
    )
    expect(itemsOf(`{}\n${'{"type":"x"}\n\n'.repeat(envelopeLimits.items)}`)).toHaveLength(1000)
    expect(problemOf(`{}\n${'{"type":"x"}\n\n'.repeat(envelopeLimits.items + 1)}`)).toBe('too many items')
  })

  it('rejects too many consecutive blanks', () => {
    const blanks = ' \n'.repeat(envelopeLimits.blankBytes / 2)
    expect(itemsOf(`${blanks}{}${blanks}{"type":"a"}\nb${blanks}`)).toEqual([['a', 'b ']])
    expect(problemOf(`${blanks} {}`)).toBe('too many blanks')
    expect(problemOf(`{}\n${blanks} `)).toBe('too many blanks')
  })

  it('rejects a header nested too deeply to be serialized', () => {
    const { headerDepth } = envelopeLimits
    expect(parseEnvelope(encode(nested(headerDepth - 1))).ok).toBe(true)
    expect(problemOf(nested(headerDepth + 1))).toBe('envelope header nested too deeply')
    expect(problemOf(`{}\n{"type":"a","b":${nested(30_000)}}\n`)).toBe('item header nested too deeply')
  })

  it('ignores inherited values in a header', () => {
    const { header: read, items } = parsed(
      '{"__proto__":{"dsn":"x"}}\n{"__proto__":{"length":1},"type":"a"}\nxyz',
    )
    expect(read.dsn).toBeUndefined()
    expect(items[0]?.payload).toHaveLength(3)
  })

  it('never throws for any bytes', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('{}', '{"type":"a"}', '{"type":"a","length":3}', '\r', ''),
    )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseEnvelope(bytes)))
    fc.assert(fc.property(fc.array(line), (lines) => void parseEnvelope(encode(lines.join('\n')))))
  })
})

describe('serializeEnvelope', () => {
  it('round-trips through parseEnvelope for any payloads', () => {
    const item = fc.record({
      type: fc.string(),
      payload: fc.uint8Array(),
      filename: fc.string({ unit: 'grapheme' }),
    })
    fc.assert(
      fc.property(fc.array(item), (items) => {
        const bytes = serializeEnvelope(
          { event_id: eventId },
          items.map(({ type, payload, filename }) => ({ type, payload, header: { filename, length: -1 } })),
        )
        const envelope = parsed(bytes)
        expect(envelope.header.eventId).toBe(eventId)
        expect(
          envelope.items.map(({ type, payload, header: { filename } }) => ({ type, payload, filename })),
        ).toEqual(items)
      }),
    )
  })
})

describe('envelopes of real SDKs', () => {
  const folder = join(import.meta.dirname, '../../test/fixtures/envelopes')
  const files = readdirSync(folder).filter((file) => /\.body(?:\.gz)?$/.test(file))

  it.each(files)('%s contains the items in its name', (file) => {
    const sent = readFileSync(join(folder, file))
    const envelope = parsed(file.endsWith('.gz') ? gunzipSync(sent) : sent)
    const types = new Set(envelope.items.map((item) => item.type))
    expect([...types].join('+')).toBe(file.split('.').at(file.endsWith('.gz') ? -3 : -2))
    const again = parsed(serializeEnvelope(envelope.header.raw, envelope.items))
    expect(again.items.map(({ payload }) => Buffer.from(payload).toString('hex'))).toEqual(
      envelope.items.map(({ payload }) => Buffer.from(payload).toString('hex')),
    )
  })
})
