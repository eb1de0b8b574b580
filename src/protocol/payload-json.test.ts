import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { threadCpuMs } from '#test/cpu-time.ts'
import { parsePayloadJson } from './payload-json.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const parsedByJavaScript = (text: string): unknown => JSON.parse(text)

describe('parsePayloadJson', () => {
  it('skips a byte order mark', () => {
    expect(parsePayloadJson(encode('\ufeff{"a":1}'))).toEqual({ ok: true, value: { a: 1 } })
  })

  it('replaces invalid UTF-8', () => {
    expect(parsePayloadJson(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ ok: true, value: '\ufffd' })
  })

  it('parses the numbers that JSON does not have as null, and keeps texts unchanged', () => {
    const text = String.raw`{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \" Infinity"}`
    expect(parsePayloadJson(encode(text))).toEqual({
      ok: true,
      value: { a: null, b: [null, null], c: 'NaN " Infinity' },
    })
  })

  it('keeps all digits of integers that JavaScript cannot represent', () => {
    const text = String.raw`{
      "id": 1234567890123456789, "ids":[-9223372036854775808,
        18446744073709551615],
      "exact": [9007199254740991, 1234567890123456800, -1234567890123456.5, 0.1234567890123456789],
      "text": "[1234567890123456789, \"1234567890123456789"
    }`
    expect(parsePayloadJson(encode(text))).toEqual({
      ok: true,
      value: {
        id: '1234567890123456789',
        ids: ['-9223372036854775808', '18446744073709551615'],
        exact: [9007199254740991, 1234567890123456800, -1234567890123456.5, 0.12345678901234568],
        text: '[1234567890123456789, "1234567890123456789',
      },
    })
  })

  it('finds a long integer behind blanks and behind digits in texts', () => {
    const digits = '1234567890123456789'
    for (let count = 0; count < 40; count += 1) {
      const text = `{"a":"${'1'.repeat(count)}x${digits}","n":${' '.repeat(count * 7)}${digits}}`
      expect(parsePayloadJson(encode(text))).toMatchObject({ ok: true, value: { n: digits } })
    }
  })

  it.each(['', 'not json at all', '{"a":NaNx}', '"NaN', '{"a":1', '{"a":1}{"b":2}'])('rejects %s', (text) => {
    expect(parsePayloadJson(encode(text))).toEqual({ ok: false })
  })

  it.each([
    ['nested lists', '['.repeat(450_000)],
    ['an unterminated text full of quotes', `NaN "${'\\"'.repeat(500_000)}`],
    ['nothing but quotes', `${'"'.repeat(1_000_000)}NaN`],
    ['a million bare numbers', `[${'NaN,'.repeat(250_000)}`],
    ['long integers', `[${'12345678901234567,'.repeat(55_000)}`],
    ['long integers in texts', `["${'12345678901234567 '.repeat(55_000)}`],
    ['blanks before long integers', `[${`${' '.repeat(5_000)}12345678901234567 `.repeat(200)}`],
    ['one long integer', `[${'1'.repeat(1_000_000)}x`],
    ['an unterminated text after a long integer', `[1234567890123456789,"${'\\"'.repeat(500_000)}`],
  ])('rejects a megabyte of %s quickly', (_, text) => {
    const startedAt = threadCpuMs()
    expect(parsePayloadJson(encode(text)).ok).toBe(false)
    expect(threadCpuMs() - startedAt).toBeLessThan(2000)
  })

  it('returns the result of JSON.parse for valid JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parsePayloadJson(encode(text))).toEqual({ ok: true, value: parsedByJavaScript(text) })
      }),
    )
  })

  it('never throws for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void parsePayloadJson(bytes)))
  })
})
