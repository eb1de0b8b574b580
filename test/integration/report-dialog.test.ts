import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handleIngestRequest } from '#server/http/web.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { getEventView } from '#test/event-view.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, otherProject, startServer, type TestServer } from '#test/start-server.ts'
import { countedOutcomes, storedEventIds } from '#test/stored-events.ts'
import { testViewer } from '#test/test-store.ts'

const { id, publicKey } = fixtureProject
const dsn = `http://${publicKey}@errors.example/${id}`

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

/** The URL that the SDK builds: it does not encode the DSN. */
function addressOf(eventId: string, query = '', of = dsn): string {
  return `${server.origin}/api/embed/error-page/?dsn=${of}&eventId=${eventId}${query}`
}

function report(eventId: string, fields: Record<string, string>, headers?: Record<string, string>) {
  return fetch(addressOf(eventId), {
    method: 'POST',
    body: new URLSearchParams(fields),
    ...(headers && { headers }),
  })
}

async function statusOf(address: string): Promise<number> {
  return (await fetch(address)).status
}

const comments = 'It ate my order & more: 100 %'

describe('the script of the report dialog', () => {
  it('does not depend on the query, and can be run by any page', async () => {
    const hostile = encodeURIComponent('</script><script>alert(1)</script>\u2028*/')
    const plain = await fetch(addressOf(randomEventId()))
    const answer = await fetch(
      addressOf(randomEventId(), `&title=${hostile}&onLoad=${hostile}&lang=${hostile}`),
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const script = await answer.text()
    expect(script).toBe(await plain.text())
    expect(script).toContain('attachShadow')
  })

  it('is the same without the Node front', async () => {
    const address = addressOf(randomEventId())
    const front = await fetch(address)
    const web = await handleIngestRequest(server.services, new Request(address))
    expect(web?.status).toBe(200)
    expect(await web?.text()).toBe(await front.text())
    for (const [name, value] of web?.headers ?? [])
      expect([name, front.headers.get(name)]).toEqual([name, value])
  })

  it('requires an event and a key of the project', async () => {
    const eventId = randomEventId()
    expect(await statusOf(addressOf('undefined'))).toBe(400)
    expect(await statusOf(`${server.origin}/api/embed/error-page/?eventId=${eventId}`)).toBe(400)
    expect(await statusOf(addressOf(eventId, '', 'lol'))).toBe(400)
    expect(await statusOf(addressOf(eventId, '', `http://${'0'.repeat(32)}@errors.example/${id}`))).toBe(403)
    expect(
      await statusOf(addressOf(eventId, '', `http://${publicKey}@errors.example/${otherProject.id}`)),
    ).toBe(403)
    expect((await fetch(addressOf(eventId), { method: 'PUT' })).status).toBe(405)
    expect((await fetch(addressOf(eventId), { method: 'OPTIONS' })).status).toBe(200)
  })

  it('is rejected for a page that the project does not list, and so is its report', async () => {
    await updateProjectSettings(server.services.store, id, () => ({ allowedOrigins: ['shop.example'] }))
    await server.services.projectKeys.refresh()
    const eventId = randomEventId()
    for (const [origin, status] of [
      ['https://shop.example', 200],
      ['https://evil.example', 403],
    ] as const) {
      expect((await fetch(addressOf(eventId), { headers: { origin } })).status).toBe(status)
      const answer = await report(eventId, { comments }, { origin })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    }
    expect(await storedEventIds(server.services.store, id)).toHaveLength(1)
  })
})

describe('a report from the dialog', () => {
  it('is feedback about its event, once even if it is sent again', async () => {
    const eventId = randomEventId()
    await postEnvelope(server.origin, errorEnvelope({ eventId }))
    const fields = { name: 'Jane', email: 'jane@shop.example', comments }
    for (let count = 0; count < 2; count += 1) {
      const answer = await report(eventId.toUpperCase(), fields)
      expect([answer.status, await answer.text()]).toEqual([200, '{}'])
    }
    const { feedback } = await getEventView(server.services, testViewer, eventId)
    expect(feedback).toMatchObject([{ name: 'Jane', email: 'jane@shop.example', message: comments }])
    expect(await countedOutcomes(server.services.store, id)).toEqual({
      'error accepted': 1,
      'feedback accepted': 1,
      'feedback invalid duplicate': 1,
    })
  })

  it('needs no name and no email address, and is accepted before its event', async () => {
    const eventId = randomEventId()
    expect((await report(eventId, { comments })).status).toBe(200)
    await postEnvelope(server.origin, errorEnvelope({ eventId }))
    const { feedback } = await getEventView(server.services, testViewer, eventId)
    expect(feedback).toMatchObject([{ name: '', email: '', message: comments }])
  })

  it('without text, too large or not a form is rejected', async () => {
    const eventId = randomEventId()
    expect((await report(eventId, { comments: ' \n' })).status).toBe(400)
    expect((await report(eventId, { name: 'Jane' })).status).toBe(400)
    expect((await report(eventId, { comments: 'x'.repeat(140_000) })).status).toBe(413)
    const json = JSON.stringify({ comments })
    expect((await fetch(addressOf(eventId), { method: 'POST', body: json })).status).toBe(415)
    expect(await storedEventIds(server.services.store, id)).toEqual([])
  })

  it('is scrubbed, and obeys the rate limits of feedback', async () => {
    await updateProjectSettings(server.services.store, id, ({ rateLimits }) => ({
      rateLimits: { ...rateLimits, key: { feedback: { quantity: 1, windowSeconds: 600 } } },
    }))
    await server.services.projectKeys.refresh()
    const eventId = randomEventId()
    expect((await report(eventId, { comments: 'my card is 4111 1111 1111 1111' })).status).toBe(200)
    const limited = await report(eventId, { comments })
    expect(limited.status).toBe(429)
    expect(limited.headers.get('x-sentry-rate-limits')).toContain('feedback:key')
    const [feedbackId = ''] = await storedEventIds(server.services.store, id)
    const { event } = await getEventView(server.services, testViewer, feedbackId)
    expect(event.feedback?.message).toBe('my card is [creditcard]')
  })
})
