import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, it } from 'vitest'
import { UpstreamConnections } from '#server/forward/connection.ts'
import { alertIssue, alertItem, alertMessage, listMessage } from '#test/alert-messages.ts'
import { startFakeUpstream, type RecordedRequest } from '#test/fake-upstream.ts'
import type { AlertMessage } from '../message.ts'
import { deliverToDestination } from './channels.ts'

const connections = new UpstreamConnections({ allowsPrivate: true })
const receiver = await startFakeUpstream()
afterAll(async () => {
  connections.close()
  await receiver.close()
})

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

async function send(
  kind: string,
  settings: Record<string, string>,
  { message = alertMessage(), deliveryId = 'delivery-1' } = {},
): Promise<RecordedRequest> {
  receiver.requests.length = 0
  const url = `http://${receiver.address}/hook`
  const destination = { id: 'd1', kind, settings: {}, secret: JSON.stringify({ url, ...settings }) }
  const answer = await deliverToDestination(message, destination, {
    connections,
    deliveryId,
    now: () => Date.now(),
  })
  expect(answer.verdict).toBe('delivered')
  const [request] = receiver.requests
  if (request === undefined) throw new Error('nothing was sent')
  return request
}

function headersOf({ headers }: RecordedRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

const text = ({ body }: RecordedRequest) => body.toString('utf8')

describe('a webhook', () => {
  it('is signed as the reference implementation checks it', async () => {
    const secret = newSecret()
    const request = await send('webhook', { secret })
    const body = new Webhook(secret).verify(text(request), headersOf(request))
    expect(body).toMatchObject({
      type: 'issue.new',
      data: { project: { slug: 'shop' }, issues: [{ shortId: 'SHOP-1' }] },
    })
    expect(() => new Webhook(newSecret()).verify(text(request), headersOf(request))).toThrow(
      'No matching signature',
    )
    expect(() =>
      new Webhook(secret).verify(text(request).replace('SHOP-1', 'SHOP-2'), headersOf(request)),
    ).toThrow('No matching signature')
  })

  it('is signed with the old secret, too, while it changes', async () => {
    const [next, old] = [newSecret(), newSecret()]
    const request = await send('webhook', { secret: `${next} ${old}` })
    for (const secret of [next, old])
      expect(() => new Webhook(secret).verify(text(request), headersOf(request))).not.toThrow()
  })

  it('has the same id in each attempt', async () => {
    const ids = [
      await send('webhook', {}),
      await send('webhook', {}),
      await send('webhook', {}, { deliveryId: 'a.b' }),
    ].map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual(['msg_delivery-1', 'msg_delivery-1', 'msg_a_b'])
  })

  it('without a secret has no signature', async () => {
    expect((await send('webhook', {})).headers).not.toHaveProperty('webhook-signature')
  })

  it.each<[AlertMessage, string]>([
    [listMessage(3), 'issue.new'],
    [alertMessage({ items: [alertItem(1), alertItem(2, { transition: 'regressed' })] }), 'issues.changed'],
    [alertMessage({ kind: 'storm' }), 'alerts.storm'],
    [alertMessage({ kind: 'test' }), 'alerts.test'],
  ])('names its type', async (message, type) => {
    expect(JSON.parse(text(await send('webhook', {}, { message })))).toMatchObject({ type })
  })
})

describe('a template', () => {
  it('becomes the JSON of another service, with numbers as numbers', async () => {
    const template =
      '{"msgtype": "text", "text": {"content": "{{headline}} at {{ issueUrl }}"}, "count": "{{events}}", "list": ["{{level}}", 1, null, true]}'
    expect(JSON.parse(text(await send('webhook', { template })))).toEqual({
      msgtype: 'text',
      text: {
        content:
          "New issue in Shop: TypeError: cannot read properties of undefined (reading 'price') at https://culvert.example/issues/1",
      },
      count: 12,
      list: ['error', 1, null, true],
    })
  })

  it('escapes text of events in its JSON strings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (title) => {
        const message = alertMessage({
          items: [
            alertItem(1, { issue: alertIssue(1, { title, culprit: title, release: `{{muteUrl}}${title}` }) }),
          ],
        })
        const filled: unknown = JSON.parse(
          text(
            await send(
              'webhook',
              { template: '{"a": "{{title}}", "b": "{{culprit}}{{release}}", "c": "-"}' },
              { message },
            ),
          ),
        )
        expect(filled).toEqual({
          a: expect.any(String) as string,
          b: `${title}{{muteUrl}}${title}`.toWellFormed(),
          c: '-',
        })
      }),
      { numRuns: 30 },
    )
  })

  it('is signed like the documented body', async () => {
    const secret = newSecret()
    const request = await send('webhook', { secret, template: '{"text": "{{headline}}"}' })
    expect(new Webhook(secret).verify(text(request), headersOf(request))).toHaveProperty('text')
  })
})

describe('a webhook of Sentry', () => {
  it('is signed with the client secret, and names its resource', async () => {
    const request = await send('sentry-webhook', { clientSecret: 'client-secret' })
    expect(request.headers).toMatchObject({
      'sentry-hook-resource': 'issue',
      'sentry-hook-signature': createHmac('sha256', 'client-secret').update(text(request)).digest('hex'),
      'sentry-hook-timestamp': expect.stringMatching(/^[0-9]{10}$/) as string,
      'request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    })
    expect(JSON.parse(text(request))).toMatchObject({
      action: 'created',
      data: { issue: { id: '1', shortId: 'SHOP-1', count: '12', project: { slug: 'shop' } } },
    })
  })

  it.each([
    ['regressed', 'issue', 'unresolved'],
    ['assigned', 'issue', 'assigned'],
    ['threshold', 'event_alert', 'triggered'],
    ['comment', 'event_alert', 'triggered'],
  ] as const)('of the transition %s is %s %s', async (transition, resource, action) => {
    const request = await send(
      'sentry-webhook',
      { clientSecret: 's' },
      { message: alertMessage({ items: [alertItem(1, { transition })] }) },
    )
    expect(request.headers['sentry-hook-resource']).toBe(resource)
    expect(JSON.parse(text(request))).toMatchObject({ action })
  })
})
