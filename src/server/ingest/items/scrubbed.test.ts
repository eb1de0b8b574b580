import { describe, expect, it } from 'vitest'
import { isJsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { createScrubPlan } from '#server/scrub/scrub-plan.ts'
import { defaultScrubSettings } from '#server/scrub/scrub-settings.ts'
import { scrubItem, type ItemPayload } from './scrubbed.ts'

function itemOf(json: string): ItemPayload {
  const payload = Buffer.from(json)
  const parsed = parsePayloadJson(payload)
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error('no JSON object')
  return { value: parsed.value, payload }
}

function storedText(json: string): string {
  return Buffer.from(scrubItem(itemOf(json), createScrubPlan(defaultScrubSettings)).payload).toString()
}

describe('the bytes of an item', () => {
  it.each([
    '{ "message" : "caf\\u00e9", "extra":{"a":1e0, "b": NaN} }',
    '{"extra":{"note":"{\\"a\\":1}","n":12345678901234567890}}',
  ])('are kept unchanged when nothing is scrubbed: %s', (json) => {
    expect(storedText(json)).toBe(json)
  })

  it('are serialized again when a value was scrubbed', () => {
    expect(storedText('{ "message":"password=x" }')).toBe(
      '{"message":"password=[Filtered]","_meta":{"message":{"":{"rem":[["@password:filter","s",9,19]],"len":10}}}}',
    )
  })

  it('contain received remarks without the texts in them', () => {
    expect(storedText('{"_meta":{"a":{"":{"len":3,"err":["password=x"]}}}}')).toBe(
      '{"_meta":{"a":{"":{"len":3}}}}',
    )
  })

  it('contain no field that the parser has not seen', () => {
    expect(storedText('{"message":"password=x","message":"y"}')).toBe('{"message":"y"}')
    expect(storedText('{"extra":{"a":{"token":"x"},"a":1}}')).toBe('{"extra":{"a":1}}')
  })

  it('are kept unchanged when scrubbing is off', () => {
    const item = itemOf('{"message":"password=x","message":"token=x"}')
    expect(scrubItem(item, createScrubPlan({ ...defaultScrubSettings, isOn: false }))).toBe(item)
  })
})
