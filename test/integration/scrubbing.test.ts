import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '#protocol/event.ts'
import { updateProjectSettings, type ProjectSettings } from '#server/store/projects/settings.ts'
import { envelopeOf, randomEventId } from '#test/envelopes.ts'
import { getEventView } from '#test/event-view.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { readStoredBytes } from '#test/stored-bytes.ts'
import { testViewer } from '#test/test-store.ts'
import { appConfig } from '../../app.config.ts'

const { id, publicKey } = fixtureProject

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

/** By the field that contains it. None may be found afterwards. */
const secrets = {
  password: 'Swordfish-0aX',
  card: '4111111111111111',
  account: 'DE89370400440532013000',
  ssn: '078-05-1120',
  aws: 'AKIAIOSFODNN7EXAMPLE',
  github: `ghp_${'q7Z'.repeat(12)}`,
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.dozjgNryP4J3jVmNHl0w5N',
  key: 'MIIJRAIBADANBgkqhkiG9w0BAQEFAASCCS4wggkq',
  session: 's%3Aq8TzLmVxK2',
  person: 'janedoe',
}

/** An event with a secret in each field that an SDK sets. */
function fullOfSecrets(eventId: string) {
  const { password, card, account, ssn, aws, github, jwt, key, session, person } = secrets
  const frames = [
    {
      function: 'pay',
      filename: 'pay.js',
      in_app: true,
      abs_path: `https://shop.example/pay.js?token=${github}`,
      context_line: `  const apiKey = '${aws}'`,
      post_context: [`  connect('postgres://app:${password}@db/shop')`],
      vars: { password, note: `to ${account}`, nested: { list: [{ secret: password }] } },
    },
  ]
  return {
    event_id: eventId,
    platform: 'node',
    transaction: `GET /pay?token=${github}`,
    logentry: { message: 'login %s with password=%s', params: ['jo', password] },
    exception: {
      values: [
        { type: 'PaymentError', value: `card ${card} of ${ssn} declined`, stacktrace: { frames } },
        {
          type: 'Error',
          value: `401 for Bearer ${jwt} at /home/${person}/shop`,
          mechanism: { data: { auth: password } },
        },
      ],
    },
    breadcrumbs: [
      {
        category: 'http',
        message: `POST https://jo:${password}@api.example/`,
        data: { body: `{"pin":1,"secret":"${password}"}` },
      },
      { message: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----` },
    ],
    request: {
      url: `https://shop.example/pay?api_key=${github}`,
      query_string: `token=${github}&page=2`,
      headers: {
        Authorization: `Bearer ${jwt}`,
        Cookie: `theme=dark; connect.sid=${session}`,
        'X-Api-Key': github,
      },
      cookies: { 'connect.sid': session, theme: 'dark' },
      data: `user=jo&password=${password}`,
      env: { DB_PASSWORD: password },
    },
    user: { id: '7', email: 'jo@shop.example', token: github },
    tags: { 'payment.card': card, plan: 'pro', [`owner ${card}`]: 'x' },
    contexts: { shop: { iban: account, credentials: { user: 'jo', word: password } } },
    extra: { argv: ['pay', '--password', password], dump: [['api_key', github]], number: Number(card) },
    fingerprint: ['{{ default }}', `token=${github}`],
  }
}

const ways: Record<
  string,
  (event: { event_id: string }) => [url: string, body: string, headers?: Record<string, string>]
> = {
  'an envelope': (event) => [
    `/api/${id}/envelope/?sentry_key=${publicKey}`,
    envelopeOf({ event_id: event.event_id }, ['event', event]),
  ],
  'the store endpoint': (event) => [`/api/${id}/store/?sentry_key=${publicKey}`, JSON.stringify(event)],
  'the tunnel': (event) => [
    `${appConfig.tunnelPath}?o=1&p=${id}`,
    envelopeOf({ event_id: event.event_id, dsn: `http://${publicKey}@culvert.example/${id}` }, [
      'event',
      event,
    ]),
    { origin: server.origin },
  ],
}

async function post(path: string, body: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(server.origin + path, { method: 'POST', body, headers })
  expect(response.status).toBe(200)
}

const sendItems = (...items: [type: string, payload: unknown][]) =>
  post(`/api/${id}/envelope/?sentry_key=${publicKey}`, envelopeOf({}, ...items))

/** The places where a text is found in all written data. */
function whereIs(text: string): string[] {
  return [...readStoredBytes(server.services)]
    .filter(([, bytes]) => bytes.includes(text))
    .map(([place]) => place)
}

const change = async (scrubbing: Partial<ProjectSettings['scrubbing']>) => {
  await updateProjectSettings(server.services.store, id, (settings) => ({
    scrubbing: { ...settings.scrubbing, ...scrubbing },
  }))
  await server.services.projectKeys.refresh()
}

const eventOf = async (eventId: string): Promise<Event> =>
  (await getEventView(server.services, testViewer, eventId)).event

describe('secrets in an event', () => {
  it.each(Object.keys(ways))(
    'are stored nowhere when sent by %s, and the console shows what was removed',
    async (way) => {
      const eventId = randomEventId()
      const [path, body, headers] = ways[way]?.(fullOfSecrets(eventId)) ?? ['', '']
      await post(path, body, headers)
      expect(Object.values(secrets).flatMap(whereIs)).toEqual([])

      const event = await eventOf(eventId)
      expect(event.exceptions.map(({ value }) => value)).toEqual([
        'card [creditcard] of [us-ssn] declined',
        '401 for Bearer [token] at /home/[user]/shop',
      ])
      expect(event.request?.cookies).toEqual([
        ['connect.sid', '[Filtered]'],
        ['theme', 'dark'],
      ])
      expect(event.tags).toContainEqual(['payment.card', '[creditcard]'])
      expect(event.user).toMatchObject({ id: '7', email: 'jo@shop.example' })
      expect(event.redactions).toContainEqual({
        field: 'request.headers.Authorization',
        rules: ['@password:filter'],
      })
      expect(event.redactions).toContainEqual({
        field: 'exception.values.0.value',
        rules: ['@creditcard:replace', '@usssn:replace'],
      })
      expect(event.redactions.length).toBeGreaterThan(25)
    },
  )

  it('are found if scrubbing is disabled, which proves the search', async () => {
    await change({ isOn: false })
    await post(...(ways['an envelope']?.(fullOfSecrets(randomEventId())) ?? ['', '']))
    expect(Object.values(secrets).filter((secret) => whereIs(secret).length === 0)).toEqual([])
  })

  it('are not written with filtered samples, and the filters see the event as it was sent', async () => {
    const { password, card } = secrets
    const crawler = { 'User-Agent': 'Googlebot/2.1', Authorization: `Bearer ${password}1234` }
    await sendItems([
      'event',
      { message: `card ${card}`, extra: { password }, request: { headers: crawler } },
    ])
    await sendItems([
      'transaction',
      {
        type: 'transaction',
        transaction: `/healthz?token=${password}`,
        platform: 'node',
        request: { headers: crawler, data: `password=${password}` },
      },
    ])
    await sendItems([
      'span',
      {
        version: 2,
        items: [
          {
            is_segment: true,
            trace_id: 'a'.repeat(32),
            span_id: 'a'.repeat(16),
            start_timestamp: Date.now() / 1000,
            end_timestamp: Date.now() / 1000,
            status: 'ok',
            name: `GET /x?token=${password}`,
            attributes: {
              'user_agent.original': { value: 'Googlebot/2.1', type: 'string' },
              'http.request.header.authorization': { value: password, type: 'string' },
            },
          },
        ],
      },
    ])
    const samples = await server.services.store.db
      .selectFrom('filter_samples')
      .select(['category', 'title'])
      .execute()
    expect(samples.map(({ category, title }) => `${category}: ${title}`).toSorted()).toEqual([
      'error: card [creditcard]',
      'span: GET /x',
      'transaction: /healthz?token=[Filtered]',
    ])
    expect([password, card].flatMap(whereIs)).toEqual([])
  })

  it('are not written with feedback, reports, security reports and names of files', async () => {
    const { password, card } = secrets
    const eventId = randomEventId()
    await sendItems(['event', { event_id: eventId, message: 'x' }])
    await sendItems([
      'user_report',
      { event_id: eventId, name: 'Jo', email: 'jo@shop.example', comments: `my card is ${card}` },
    ])
    await sendItems([
      'feedback',
      { contexts: { feedback: { message: `password: ${password}`, associated_event_id: eventId } } },
    ])
    await sendItems([
      'raw_security',
      {
        'csp-report': {
          'document-uri': `https://shop.example/?token=${password}`,
          'blocked-uri': `https://x:${password}@evil.example/a`,
          'effective-directive': 'img-src',
        },
      },
    ])
    const file = JSON.stringify({ type: 'attachment', length: 2, filename: `scan ${card}.txt` })
    await post(`/api/${id}/envelope/?sentry_key=${publicKey}`, `{"event_id":"${eventId}"}\n${file}\nhi\n`)
    expect([password, card].flatMap(whereIs)).toEqual([])
    const view = await getEventView(server.services, testViewer, eventId)
    expect(view.attachments.map(({ name }) => name)).toEqual(['scan [creditcard].txt'])
    expect(view.feedback.map(({ message }) => message).toSorted()).toEqual([
      'my card is [creditcard]',
      'password: [Filtered]',
    ])
  })
})

describe("a project's settings", () => {
  it('remove addresses everywhere', async () => {
    await change({ ipAddresses: 'remove' })
    const eventId = randomEventId()
    const event = {
      platform: 'javascript',
      message: 'from 203.0.113.7',
      user: { id: '7', ip_address: '{{auto}}' },
      request: { headers: { 'X-Forwarded-For': '203.0.113.7' }, env: { REMOTE_ADDR: '203.0.113.7' } },
    }
    await post(`/api/${id}/store/?sentry_key=${publicKey}`, JSON.stringify({ event_id: eventId, ...event }), {
      'x-forwarded-for': '203.0.113.7',
    })
    // The server's own address is in its settings, for the command line.
    const places = ['203.0.113.7', '127.0.0.1'].flatMap(whereIs)
    expect(places.filter((place) => !/^(?:settings\.|culvert\.|culvert-settings\.)/.test(place))).toEqual([])
    expect(await eventOf(eventId)).toMatchObject({ message: { formatted: 'from [ip]' }, user: { id: '7' } })
    expect((await eventOf(eventId)).user?.ipAddress).toBeUndefined()
  })

  it('add fields, exclude fields, and turn rules on and off', async () => {
    await change({
      fields: ['memberNo'],
      excludedFields: ['token'],
      rules: { email: true, creditcard: false },
    })
    const eventId = randomEventId()
    const extra = { member_no: 5, token: 'abc', mail: 'jo@shop.example', card: secrets.card }
    await sendItems(['event', { event_id: eventId, extra }])
    expect((await eventOf(eventId)).extra).toEqual({
      member_no: '[Filtered]',
      token: 'abc',
      mail: '[email]',
      card: secrets.card,
    })
  })
})
