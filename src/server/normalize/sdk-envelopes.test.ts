import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parseEnvelope } from '#protocol/envelope.ts'
import type { Event } from '#protocol/event.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { eventCulprit } from './culprit.ts'
import { indexedTags } from './fields/tags.ts'
import { normalizeEvent } from './normalize-event.ts'
import { eventTitle } from './title.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/envelopes')

/** The first item of a captured envelope, normalized as if it had just arrived. */
function captured(file: string): Event {
  const sent = readFileSync(join(folder, file))
  const result = parseEnvelope(file.endsWith('.gz') ? gunzipSync(sent) : sent)
  const payload = result.ok ? result.envelope.items[0]?.payload : undefined
  const parsed = parsePayloadJson(payload ?? new Uint8Array())
  if (!parsed.ok) throw new Error(`${file} holds no event`)
  return normalizeEvent(parsed.value, { eventId: 'a'.repeat(32), receivedAt: Date.UTC(2026, 10, 21, 5) })
}

const typeError = "Cannot read properties of undefined (reading 'name')"

describe('events of real SDKs', () => {
  it.each([
    ['node-10.75.2.errorCause.02.event.body', 'Error', 'Checkout failed', 'node-cap'],
    ['browser-10.75.2.error-xorigin.04.event.body', 'TypeError', typeError, 'deep(/scenarios.js)'],
    ['browser-10.75.2.error-tunnel.05.event.body', 'TypeError', typeError, 'deep(/scenarios.js)'],
    ['browser-11.12.0.error.03.event.body', 'TypeError', typeError, 'deep(/scenarios.js)'],
    ['node-11.12.0.gzip.02.event.body.gz', 'Error', 'bigger than 32 KiB', 'node-cap'],
    ['node-10.75.2.attachment.02.event+attachment.body', 'Error', 'with attachments', 'node-cap'],
    ['node-10.75.2.transaction.01.transaction.body', 'GET /orders/:id', '', 'GET /orders/:id'],
  ])('%s has the expected title and culprit, and no error', (file, ...[title, subtitle, culprit]) => {
    const event = captured(file)
    expect(eventTitle(event)).toEqual({ title, subtitle })
    expect(eventCulprit(event)).toBe(culprit)
    expect(event.fieldErrors).toEqual([])
    expect(event.release).toMatch(/^(?:my-app|web)@/)
  })

  it('keeps the chain of causes, the frames and their source', () => {
    const event = captured('node-10.75.2.errorCause.02.event.body')
    expect(event.exceptions.map((exception) => exception.type)).toEqual(['TypeError', 'Error'])
    expect(event.exceptions[0]?.mechanism).toEqual({
      type: 'chained',
      handled: true,
      source: 'cause',
      exceptionId: 1,
      parentId: 0,
    })
    const frame = event.exceptions[0]?.stackTrace?.frames.at(-1)
    expect(frame).toMatchObject({
      function: 'inner',
      lineNumber: 15,
      columnNumber: 90,
      inApp: true,
      module: 'node-cap',
    })
    expect(frame?.preContext).toHaveLength(7)
    expect(event.traceId).toBe('849f941752f24bf9be57e27b41e6a510')
  })

  it('detects the browser from the user agent in the event', () => {
    const event = captured('browser-11.12.0.error.03.event.body')
    expect(event.breadcrumbs).toHaveLength(5)
    expect(event.user).toEqual({ id: '7', email: 'web@example.com' })
    expect(Object.fromEntries(indexedTags(event))).toMatchObject({
      page: 'cart',
      browser: 'HeadlessChrome 156.0.0',
      'os.name': 'Linux',
      user: 'id:7',
      handled: 'yes',
    })
  })

  it("titles a user's feedback by its message", () => {
    const event = captured('node-11.12.0.feedback.01.feedback+attachment.body')
    expect(event.type).toBe('feedback')
    expect(eventTitle(event)).toEqual({
      title: 'The button does nothing',
      subtitle: 'User feedback from Jane',
    })
  })
})
