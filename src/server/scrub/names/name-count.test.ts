import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { countNames, hidesFields } from './name-count.ts'

function hides(json: string): boolean {
  const bytes = Buffer.from(json)
  const parsed = parsePayloadJson(bytes)
  const value = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
  return hidesFields(bytes, countNames(value))
}

describe('fields that parsing does not see', () => {
  it.each(['{"a":"password=x","a":"y"}', '{"extra":{"note":{"deep":1},"note":2}}', '[{"a":1,"\\u0061":2}]'])(
    'may be in %s',
    (json) => {
      expect(hides(json)).toBe(true)
    },
  )

  it.each([
    '{}',
    '{"a":1,"b":{"c":[{"d":null}]}}',
    '{"a": 1, "b": {"c": 2}}',
    '{ "a" : 1,\n "b\\"" :{"c:" :"\\\\"} }',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a":":b","c":[":d",":e"],"f":"g:"}',
    '{"":"::1","ä":"ö:"}',
  ])('are not in %s', (json) => {
    expect(hides(json)).toBe(false)
  })

  it.each<[Json, number]>([
    ['a text', 0],
    [null, 0],
    [['a text', null, { a: 'text', b: [{ c: null }] }], 3],
  ])('are not confused with the characters of a text: %j', (value, count) => {
    expect(countNames(value)).toBe(count)
  })

  it('are found in payloads of any length at any memory offset', () => {
    for (const json of ['{}', '{"a":1}', '{"a":1,"b":2}'])
      for (let offset = 0; offset < 8; offset += 1) {
        const payload = Buffer.from(' '.repeat(offset) + json).subarray(offset)
        expect(hidesFields(payload, json.split(':').length - 1)).toBe(false)
        expect(hidesFields(payload, json.split(':').length)).toBe(true)
      }
  })

  it('are found at any depth', () => {
    const json = `${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}`
    expect(hides(json)).toBe(false)
  })
})
