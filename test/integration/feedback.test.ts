import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { envelopeOf, errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { getEventView } from '#test/event-view.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { countedOutcomes, storedEventIds } from '#test/stored-events.ts'
import { testViewer } from '#test/test-store.ts'

const { id } = fixtureProject

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

function send(body: string | Uint8Array): Promise<Response> {
  return postEnvelope(server.origin, body)
}

const counted = () => countedOutcomes(server.services.store, id)
const stored = () => storedEventIds(server.services.store, id)
const feedbackOf = async (eventId: string) =>
  (await getEventView(server.services, testViewer, eventId)).feedback

const report = (eventId: string, comments = 'It ate my order') => ({
  event_id: eventId,
  name: 'Jane',
  email: 'jane@example.com',
  comments,
})

describe('a user report', () => {
  it('is shown with its event, in either order of arrival, and once even if it is sent again', async () => {
    const eventId = randomEventId()
    await send(envelopeOf({}, ['user_report', report(eventId)]))
    await send(errorEnvelope({ eventId }))
    await send(envelopeOf({ event_id: eventId }, ['user_report', report(eventId)]))
    expect(await feedbackOf(eventId)).toMatchObject([
      { name: 'Jane', email: 'jane@example.com', message: 'It ate my order' },
    ])
    expect(await counted()).toEqual({
      'error accepted': 1,
      'feedback accepted': 1,
      'feedback invalid duplicate': 1,
    })
  })

  it('arrives in the envelope of its event, which may have the id', async () => {
    const eventId = randomEventId()
    const response = await send(
      envelopeOf({ event_id: eventId }, ['user_report', { comments: 'Hm' }], ['event', { message: 'a' }]),
    )
    expect(await response.json()).toEqual({ id: eventId })
    expect(await feedbackOf(eventId)).toMatchObject([{ name: '', email: '', message: 'Hm' }])
  })

  it('is also a feedback event, in a separate issue', async () => {
    await send(envelopeOf({}, ['user_report', report(randomEventId())]))
    const [feedbackId = ''] = await stored()
    const { issue, event } = await getEventView(server.services, testViewer, feedbackId)
    expect(issue).toMatchObject({
      type: 'feedback',
      title: 'It ate my order',
      subtitle: 'User feedback from Jane',
    })
    expect(event.feedback).toMatchObject({ email: 'jane@example.com' })
  })

  it.each([
    ['{"comments":', 'invalid_json'],
    ['[]', 'invalid_json'],
    ['{"comments":"about nothing"}', 'invalid_json'],
    [JSON.stringify({ ...report(randomEventId()), comments: ' \n' }), 'no_data'],
    [JSON.stringify({ ...report(randomEventId()), comments: null }), 'no_data'],
    [JSON.stringify({ ...report(randomEventId()), comments: 'x'.repeat(1_100_000) }), 'too_large'],
  ])('without text is counted', async (payload, reason) => {
    expect((await send(envelopeOf({}, ['user_report', payload]))).status).toBe(200)
    expect(await counted()).toEqual({ [`feedback invalid ${reason}`]: 1 })
  })

  it('may contain any text', async () => {
    const eventId = randomEventId()
    const message = '<script>alert(1)</script>\0\ud800\u202e'
    await send(errorEnvelope({ eventId }))
    await send(envelopeOf({}, ['user_report', { ...report(eventId, message), name: [], email: {} }]))
    expect(await feedbackOf(eventId)).toMatchObject([
      { name: '', email: '', message: '<script>alert(1)</script>\ufffd\ufffd\u202e' },
    ])
  })
})

describe('feedback', () => {
  it('of a real SDK is stored with its screenshot and shown with the event it is about', async () => {
    const file = 'node-11.12.0.feedback.01.feedback+attachment.body'
    const body = readFileSync(new URL(`../fixtures/envelopes/${file}`, import.meta.url))
    const text = body.toString('latin1')
    const feedbackId = /"event_id":"([0-9a-f]{32})"/.exec(text)?.[1] ?? ''
    const aboutId = /"associated_event_id":"([0-9a-f]{32})"/.exec(text)?.[1] ?? ''
    expect(await (await send(body)).json()).toEqual({ id: feedbackId })
    await send(errorEnvelope({ eventId: aboutId }))
    const view = await getEventView(server.services, testViewer, feedbackId)
    expect(view.aboutEventId).toBe(aboutId)
    expect(view.issue).toMatchObject({ type: 'feedback', title: 'The button does nothing' })
    expect(view.attachments).toMatchObject([{ name: 'shot.png', contentType: 'image/png' }])
    expect(await feedbackOf(aboutId)).toMatchObject([{ eventId: feedbackId, name: 'Jane' }])
    expect(await counted()).toEqual({ 'feedback accepted': 1, 'attachment accepted': 1, 'error accepted': 1 })
  })

  it('without an event is an issue, one for equal texts', async () => {
    for (const message of ['Order 17 is late', 'Order 18 is late', 'Thank you']) {
      await send(envelopeOf({}, ['feedback', { contexts: { feedback: { message } } }]))
    }
    const issues = await server.services.store.db
      .selectFrom('issues')
      .select(['title', 'event_count'])
      .orderBy('event_count')
      .execute()
    expect(issues).toEqual([
      { title: 'Thank you', event_count: 1 },
      { title: 'Order 18 is late', event_count: 2 },
    ])
  })

  it.each([{}, { contexts: null }, { contexts: { feedback: { message: '' } } }])(
    'without a text is counted: %j',
    async (payload) => {
      await send(envelopeOf({}, ['feedback', payload]))
      expect(await counted()).toEqual({ 'feedback invalid no_data': 1 })
    },
  )

  it('and an event count as one event of an envelope', async () => {
    const feedback = { contexts: { feedback: { message: 'a' } } }
    await send(envelopeOf({}, ['event', { message: 'a' }], ['feedback', feedback]))
    expect(await counted()).toEqual({ 'error accepted': 1, 'feedback invalid duplicate_item': 1 })
  })
})
