import { describe, expect, it } from 'vitest'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { eventTitle } from '#server/normalize/title.ts'
import { withNativeCrash } from './native-crash.ts'

const attachment = (attachmentType: string): EnvelopeItem => ({
  type: 'attachment',
  header: { type: 'attachment', attachment_type: attachmentType },
  payload: Buffer.from('MDMP'),
})

function crashOf(text: string, ...items: EnvelopeItem[]) {
  const payload = Buffer.from(text)
  const json = parsePayloadJson(payload)
  if (!json.ok || !isJsonObject(json.value)) throw new Error('no JSON object')
  const before = { value: json.value, payload }
  return { before, after: withNativeCrash(before, items) }
}

const read = (value: JsonObject) => normalizeEvent(value, { eventId: 'a'.repeat(32), receivedAt: 0 })

describe('an event with a minidump', () => {
  it.each([
    ['{}', 'fatal'],
    ['\ufeff {"platform":"native","tags":{"exit.reason":"oom"}}', 'fatal'],
    ['{"level":"error","release":"app@1"}', 'error'],
  ])('is an unhandled exception: %s', (text, level) => {
    const { before, after } = crashOf(text, attachment('event.attachment'), attachment('event.minidump'))
    const event = read(after.value)
    expect(eventTitle(event)).toEqual({ title: 'Minidump', subtitle: 'Native crash' })
    expect(event).toMatchObject({ type: 'error', level, exceptions: [{ mechanism: { handled: false } }] })
    expect(parsePayloadJson(after.payload)).toEqual({ ok: true, value: after.value })
    expect(after.value).toMatchObject(before.value)
  })

  it('keeps its own exception', () => {
    const { before, after } = crashOf('{"exception":{"values":[]}}', attachment('event.minidump'))
    expect(after).toBe(before)
  })

  it('is no crash with other files', () => {
    const { before, after } = crashOf('{"message":"a"}', attachment('event.view_hierarchy'))
    expect(after).toBe(before)
  })
})
