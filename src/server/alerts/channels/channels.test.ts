import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { UpstreamConnections } from '#server/forward/connection.ts'
import {
  alertIssue,
  alertItem,
  alertMessage,
  alertOrigin,
  listMessage,
  projectItem,
} from '#test/alert-messages.ts'
import { checkRequest, receiverContracts } from '#test/channel-receivers.ts'
import { startFakeUpstream } from '#test/fake-upstream.ts'
import { hostileTitles } from '#test/hostile-titles.ts'
import { hourMs } from '#time/time-steps.ts'
import type { AlertMessage, AlertAnswer } from '../message.ts'
import { channels, deliverToDestination } from './channels.ts'
import { parseDestination } from './destination-input.ts'

const connections = new UpstreamConnections({ allowsPrivate: true })
const receiver = await startFakeUpstream()
afterAll(async () => {
  connections.close()
  await receiver.close()
})

/** Answers as the service does, with another status or body if given. */
function answerAs(
  kind: string,
  {
    status = 200,
    body,
    headers = {},
  }: { status?: number; body?: string; headers?: Record<string, string> } = {},
) {
  receiver.behave((response) => {
    response.writeHead(status, headers)
    response.end(body ?? receiverContracts[kind]?.reply ?? '')
  })
}

function destinationOf(kind: string, changes: Record<string, string> = {}) {
  const fields = receiverContracts[kind]?.fields(`http://${receiver.address}`) ?? {}
  const parsed = parseDestination(kind, { ...fields, ...changes })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return { id: 'd1', kind, settings: parsed.settings, secret: parsed.secret }
}

interface Sent {
  answer: AlertAnswer
  bodies: unknown[]
  urls: string[]
  methods: string[]
}

async function send(
  kind: string,
  message: AlertMessage,
  { editedRef, changes }: { editedRef?: string; changes?: Record<string, string> } = {},
): Promise<Sent> {
  receiver.requests.length = 0
  const tools = {
    connections,
    deliveryId: 'delivery-1',
    now: () => Date.UTC(2026, 10, 23, 21, 5),
    timeoutMs: 30_000,
    editedRef,
  }
  const answer = await deliverToDestination(message, destinationOf(kind, changes), tools)
  for (const request of receiver.requests) checkRequest(kind, request)
  return {
    answer,
    bodies: receiver.requests.map(({ body }): unknown => JSON.parse(body.toString('utf8'))),
    urls: receiver.requests.map(({ url }) => url),
    methods: receiver.requests.map(({ method }) => method),
  }
}

const kinds = Object.keys(receiverContracts)

it('has a receiver in this test for each channel but email', () => {
  expect(channels.map(({ kind }) => kind).filter((kind) => kind !== 'email')).toEqual(kinds)
})

describe.each(kinds)('%s', (kind) => {
  it.each<[string, AlertMessage]>([
    ['one issue', alertMessage()],
    ['a test', alertMessage({ kind: 'test' })],
    ['a late one', alertMessage({ items: [alertItem(1, { lateByMs: 7_200_000 })] })],
    [
      'an issue without anything',
      alertMessage({
        items: [
          alertItem(1, {
            issue: {
              ...alertIssue(1),
              title: '',
              culprit: '',
              level: '',
              environment: undefined,
              release: undefined,
              assignee: undefined,
            },
          }),
        ],
      }),
    ],
    ['back to normal', alertMessage({ items: [alertItem(1, { transition: 'normal' })] })],
    ['a trouble', alertMessage({ items: [projectItem()], threadKey: undefined })],
    [
      'the end of a trouble',
      alertMessage({ items: [projectItem({ transition: 'trouble_over' })], threadKey: undefined }),
    ],
    [
      'issues and a change of the project',
      alertMessage({ items: [projectItem({ transition: 'release' }), alertItem(1)], threadKey: undefined }),
    ],
    ['seven issues', listMessage(7)],
    ['a thousand issues', { ...listMessage(60), moreCount: 940 }],
    ['a storm', { ...listMessage(3), kind: 'storm', moreCount: 997 }],
    [
      'a summary without issues',
      alertMessage({ kind: 'summary', items: [], moreCount: 12, threadKey: undefined }),
    ],
    [
      'a digest of fifty rules',
      {
        ...listMessage(10),
        kind: 'digest',
        rules: Array.from({ length: 50 }, (_, index) => ({
          name: `Rule ${index} ${'x'.repeat(300)}`,
          url: alertOrigin,
        })),
      },
    ],
  ])('delivers %s within the documented limits', async (_, message) => {
    answerAs(kind)
    const { answer, bodies } = await send(kind, message)
    expect(answer.verdict).toBe('delivered')
    expect(bodies.length).toBeGreaterThan(0)
  })

  it.each([...hostileTitles.entries()])('treats the hostile title %i as text', async (_, title) => {
    answerAs(kind)
    const single = alertMessage({
      items: [
        alertItem(1, {
          issue: alertIssue(1, {
            title,
            culprit: title,
            environment: title,
            release: title,
            assignee: title,
            level: title,
          }),
        }),
      ],
    })
    expect((await send(kind, single)).answer.verdict).toBe('delivered')
    expect((await send(kind, listMessage(12, title))).answer.verdict).toBe('delivered')
    const change = { key: title, title, level: 'info', url: alertOrigin, environment: title, release: title }
    const ofProject = alertMessage({ items: [projectItem({ change })], threadKey: undefined })
    expect((await send(kind, ofProject)).answer.verdict).toBe('delivered')
    const named = {
      ...single,
      project: { slug: 'shop', name: title },
      organization: title,
      rules: [{ name: title, url: alertOrigin }],
    }
    expect((await send(kind, named)).answer.verdict).toBe('delivered')
  })

  it('accepts any text', async () => {
    answerAs(kind)
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[<>@#`*_[\]()|\\{}"'&/:.\n\r \u202eaé]{0,40}$/),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 12 }), async (titles) => {
        const items = titles.map((title, index) =>
          alertItem(index, { issue: alertIssue(index, { title, culprit: title, release: title }) }),
        )
        expect((await send(kind, alertMessage({ items }))).answer.verdict).toBe('delivered')
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    [500, 'retry'],
    [503, 'retry'],
    [408, 'retry'],
    [400, 'rejected'],
    [413, 'rejected'],
    [307, 'rejected'],
  ])('judges the status %i as %s', async (status, verdict) => {
    answerAs(kind, { status, body: 'an answer', headers: { location: `http://${receiver.address}/` } })
    const { answer, bodies } = await send(kind, alertMessage())
    expect(answer).toMatchObject({
      verdict,
      status,
      answerExcerpt: expect.stringContaining('an answer') as string,
    })
    // A redirect is not followed.
    expect(bodies).toHaveLength(1)
  })

  it('waits as long as a 429 requests, at most an hour', async () => {
    answerAs(kind, { status: 429, body: '{}', headers: { 'retry-after': '30' } })
    expect((await send(kind, alertMessage())).answer).toMatchObject({
      verdict: 'retry',
      retryAfterMs: 30_000,
    })
    answerAs(kind, { status: 429, body: '{}', headers: { 'retry-after': '99999999' } })
    expect((await send(kind, alertMessage())).answer).toMatchObject({
      verdict: 'retry',
      retryAfterMs: hourMs,
    })
  })

  it('never reveals its secrets, even if the receiver repeats them', async () => {
    const destination = destinationOf(kind)
    answerAs(kind, {
      status: 400,
      body: `you sent ${destination.secret} ${JSON.stringify(receiverContracts[kind]?.fields(`http://${receiver.address}`))}`,
    })
    const { answer } = await send(kind, alertMessage())
    const secrets = Object.values(JSON.parse(destination.secret ?? '{}') as Record<string, string>)
    expect(secrets.length).toBeGreaterThan(0)
    for (const secret of secrets) expect(JSON.stringify(answer)).not.toContain(secret)
  })

  it('is sent again after a closed connection, a time-out and an endless answer', async () => {
    receiver.behave((response) => void response.destroy())
    expect((await send(kind, alertMessage())).answer.verdict).toBe('retry')
    receiver.behave((response) => {
      response.writeHead(503)
      response.end('x'.repeat(1_000_000))
    })
    const { answer } = await send(kind, alertMessage())
    expect(answer).toMatchObject({ verdict: 'retry', status: 503 })
    expect(answer.answerExcerpt?.length ?? 0).toBeLessThanOrEqual(2_000)
  })

  it('names the invalid setting', async () => {
    const answer = await deliverToDestination(
      alertMessage(),
      { id: 'd', kind, settings: {} },
      { connections, deliveryId: 'a', now: () => 0 },
    )
    expect(answer).toMatchObject({
      verdict: 'rejected',
      answerExcerpt: expect.stringMatching(/^The settings are not usable: \w+: Enter /) as string,
    })
  })
})

it('rejects a kind that does not exist', async () => {
  const answer = await deliverToDestination(
    alertMessage(),
    { id: 'd', kind: 'pigeon', settings: {} },
    { connections, deliveryId: 'a', now: () => 0 },
  )
  expect(answer).toEqual({ verdict: 'rejected', answerExcerpt: 'There is no channel pigeon.' })
})

describe('an edit', () => {
  it.each([
    ['slack-bot', '1503435956.000247', 'POST', /chat\.update$/],
    ['discord', '1100110011', 'PATCH', /\/messages\/1100110011\?/],
    ['telegram', '77', 'POST', /editMessageText$/],
  ])('of %s changes the message in the first answer', async (...[kind, messageRef, method, url]) => {
    answerAs(kind)
    expect((await send(kind, alertMessage())).answer).toMatchObject({ verdict: 'delivered', messageRef })
    const { answer, urls, methods } = await send(kind, alertMessage(), { editedRef: messageRef })
    expect(answer).toMatchObject({ verdict: 'delivered', messageRef })
    expect(methods).toEqual([method])
    expect(urls[0]).toMatch(url)
  })

  it.each([
    ['slack-bot', 200, '{"ok":false,"error":"message_not_found"}'],
    ['discord', 404, '{"message":"Unknown Message","code":10008}'],
    ['telegram', 400, '{"ok":false,"description":"Bad Request: message to edit not found"}'],
  ])('of %s becomes a new message if the first was deleted', async (kind, status, body) => {
    receiver.behave((response) => {
      const isFirst = receiver.requests.length === 1
      response.writeHead(isFirst ? status : 200)
      response.end(isFirst ? body : receiverContracts[kind]?.reply)
    })
    const { answer, urls } = await send(kind, alertMessage(), { editedRef: '5' })
    expect(answer.verdict).toBe('delivered')
    expect(urls).toHaveLength(2)
  })
})

describe('the answer of a service', () => {
  it.each<[string, number, string, AlertAnswer['verdict']]>([
    ['slack-webhook', 404, 'no_service', 'disabled'],
    ['slack-webhook', 410, 'channel_is_archived', 'disabled'],
    ['slack-webhook', 400, 'invalid_payload', 'rejected'],
    ['slack-bot', 200, '{"ok":false,"error":"token_revoked"}', 'disabled'],
    ['slack-bot', 200, '{"ok":false,"error":"invalid_blocks"}', 'rejected'],
    ['slack-bot', 200, '{"ok":false,"error":"internal_error"}', 'retry'],
    ['slack-bot', 200, '<html>a proxy</html>', 'retry'],
    ['discord', 404, '{"message":"Unknown Webhook","code":10015}', 'disabled'],
    ['teams', 202, '', 'delivered'],
    ['telegram', 403, '{"ok":false,"description":"Forbidden: bot was blocked by the user"}', 'disabled'],
    ['telegram', 400, '{"ok":false,"description":"Bad Request: chat not found"}', 'disabled'],
    ['telegram', 400, '{"ok":false,"description":"Bad Request: message is not modified"}', 'delivered'],
    ['google-chat', 403, '{}', 'disabled'],
    ['ntfy', 403, '{}', 'disabled'],
    ['pagerduty', 202, '{"status":"success"}', 'delivered'],
    ['webhook', 410, '', 'disabled'],
    ['webhook', 204, '', 'delivered'],
    ['sentry-webhook', 410, '', 'disabled'],
  ])('%s %i %s: %s', async (...[kind, status, body, verdict]) => {
    answerAs(kind, { status, body })
    expect((await send(kind, alertMessage())).answer.verdict).toBe(verdict)
  })

  it.each([
    ['discord', '{"message":"You are being rate limited.","retry_after":0.65}', 650],
    ['telegram', '{"ok":false,"parameters":{"retry_after":14}}', 14_000],
  ])('%s: how long to wait, in the body', async (kind, body, retryAfterMs) => {
    answerAs(kind, { status: 429, body })
    expect((await send(kind, alertMessage())).answer).toMatchObject({ verdict: 'retry', retryAfterMs })
  })

  it('telegram: the new id of a migrated group', async () => {
    receiver.behave((response) => {
      const isFirst = receiver.requests.length === 1
      response.writeHead(isFirst ? 400 : 200)
      response.end(
        isFirst
          ? '{"ok":false,"parameters":{"migrate_to_chat_id":-1009}}'
          : receiverContracts['telegram']?.reply,
      )
    })
    const { answer, bodies } = await send('telegram', alertMessage())
    expect(answer.verdict).toBe('delivered')
    expect(bodies).toMatchObject([{ chat_id: '-1001234567890' }, { chat_id: '-1009' }])
  })
})

function firstAlertOf({ bodies }: Sent) {
  return (bodies[0] as { labels: object; startsAt: string; endsAt: string }[])[0]
}

describe('receivers with one alert per issue', () => {
  it('pagerduty: one incident per issue, which is resolved by its key', async () => {
    answerAs('pagerduty')
    const [first] = (await send('pagerduty', listMessage(3))).bodies as { dedup_key: string }[]
    const [over] = (
      await send('pagerduty', alertMessage({ items: [alertItem(1, { transition: 'normal' })] }))
    ).bodies
    expect(over).toMatchObject({ event_action: 'resolve', dedup_key: first?.dedup_key })
    expect((await send('pagerduty', listMessage(3))).bodies).toHaveLength(3)
    expect((await send('pagerduty', { ...listMessage(3), moreCount: 90 })).bodies).toHaveLength(1)
  })

  it('alertmanager: the same labels at the end of an alert, and always an end', async () => {
    answerAs('alertmanager')
    const first = firstAlertOf(await send('alertmanager', alertMessage()))
    const over = firstAlertOf(
      await send('alertmanager', alertMessage({ items: [alertItem(1, { transition: 'normal' })] })),
    )
    expect(over?.labels).toEqual(first?.labels)
    expect(over?.endsAt).toBe('2026-11-23T21:05:00.000Z')
    expect(first?.endsAt).toBe('2026-11-23T22:05:00.000Z')
  })

  it('are all sent again if one event is rejected', async () => {
    answerAs('pagerduty', { status: 500 })
    const { answer, bodies } = await send('pagerduty', listMessage(5))
    expect([answer.verdict, bodies.length]).toEqual(['retry', 5])
  })
})
