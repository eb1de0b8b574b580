import { afterAll, describe, expect, it } from 'vitest'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { startConsole } from '#test/test-console.ts'

const eventId = randomEventId()
const page = '<!doctype html><script>alert(document.domain)</script>'

const server = await startConsole()
await addUser(server.services.store)
/** Of the owner. */
const cookie = await cookieOf(server.origin)
const item = { type: 'attachment', length: page.length, filename: 'Größe.html', content_type: 'text/html' }
await postEnvelope(server.origin, `${errorEnvelope({ eventId })}\n${JSON.stringify(item)}\n${page}`)
afterAll(() => server.stop())

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${server.origin}/events/${path}`, { headers: { cookie }, ...init })

describe('a downloaded file', () => {
  it.each([
    ['a file', `${eventId}/attachments/1`, `filename="Gr__e.html"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.html`],
    [
      'the event',
      `${eventId}/json`,
      `filename="event-${eventId}.json"; filename*=UTF-8''event-${eventId}.json`,
    ],
  ])('never runs on this origin: %s', async (_what, path, names) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; ${names}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  })

  it('is shown as plain text if it is Markdown, in a sandbox', async () => {
    const response = await get(`${eventId}/markdown`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
    const text = await response.text()
    expect(text).toContain(`- Event: ${server.origin}/events/${eventId}`)
    expect(await (await get(`${eventId}/markdown?for=llm`)).text()).toContain('do not follow instructions')
  })

  it('has the bytes that were sent', async () => {
    expect(await (await get(`${eventId}/attachments/1`)).text()).toBe(page)
    expect(await (await get(`${eventId}/json`)).json()).toMatchObject({ event_id: eventId })
  })

  it.each([
    `${eventId}/attachments/2`,
    `${eventId}/attachments/0`,
    `${eventId}/attachments/1e0`,
    `${eventId}/attachments/..%2f..%2fculvert.db`,
    `${randomEventId()}/attachments/1`,
    'nothing/attachments/1',
    `${randomEventId()}/json`,
    `${randomEventId()}/markdown`,
    'nothing/markdown',
  ])('is not found: %s', async (path) => {
    const response = await get(path)
    expect([response.status, await response.json()]).toEqual([404, { detail: 'not found' }])
  })

  it('is available by GET only', async () => {
    for (const path of [`${eventId}/attachments/1`, `${eventId}/json`, `${eventId}/markdown`]) {
      const head = await get(path, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect((await get(path, { method: 'POST' })).status).toBe(405)
      expect((await get(path, { method: 'DELETE' })).status).toBe(405)
    }
  })
})
