import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { deliverToDestination } from '#server/alerts/channels/channels.ts'
import { createVapidKeys } from '#server/alerts/channels/push/vapid.ts'
import { UpstreamConnections } from '#server/forward/connection.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { alertIssue, alertItem, alertMessage, listMessage } from '#test/alert-messages.ts'
import { makeAlertRule } from '#test/alert-rule.ts'
import { hostileTitles } from '#test/hostile-titles.ts'
import { startPushService, type FakeBrowser } from '#test/push-service.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { createCertificate } from '#test/smtp-receiver.ts'
import { fixtureProject } from '#test/start-server.ts'
import { startConsole, startTestConsole } from '#test/test-console.ts'
import { dayMs } from '#time/time-steps.ts'

const page = '/settings/notifications'

const knownAuthorities = getCACertificates('default')

const certificate = await createCertificate()
setDefaultCACertificates([...knownAuthorities, certificate.cert])
const service = await startPushService(certificate)
const server = await startTestConsole({ CULVERT_ALLOW_PRIVATE_DESTINATIONS: 'localhost' })
await server.services.store.writer.deleteFrom('alert_rules').execute()
await recordAlertRule(server.services.store, {
  organizationId: 1,
  projectId: fixtureProject.id,
  rule: makeAlertRule(),
})

afterAll(async () => {
  await server.stop()
  await service.close()
  setDefaultCACertificates(knownAuthorities)
})

beforeEach(async () => {
  service.answer(201)
  // Otherwise the next message waits to be grouped with the last one.
  await server.services.store.writer.deleteFrom('push_subscriptions').execute()
})

const subscribe = (browser: FakeBrowser, changes: Record<string, string> = {}) =>
  server.postTo('member', page, {
    action: 'subscribe',
    ...browser.subscription,
    browser: 'Firefox on Linux',
    ...changes,
  })

let count = 0
/** Reports a new issue, and sends what that queues. */
async function tell(): Promise<void> {
  count += 1
  await server.send({ exception: { values: [{ type: `Error${count}`, value: 'the cart is empty' }] } })
  await server.services.alertDecider.check()
  await server.services.alertDeliverer.deliver()
}

const browsers = () => server.read('SELECT name FROM push_subscriptions')

describe('a browser that subscribed', () => {
  it('gets new inbox items, encrypted for it, with a token for its push service', async () => {
    const browser = service.subscribe()
    expect((await subscribe(browser)).status).toBe(303)
    await tell()
    expect(browser.messages).toHaveLength(1)
    const [received] = browser.messages
    if (received === undefined) throw new Error('nothing was received')
    const { headers, claims, message, byteCount } = received
    expect(message).toEqual({
      title: 'New issue in fixture',
      body: `Error${count}: the cart is empty`,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/issues\/\d+$/) as string,
      tag: expect.stringMatching(/^issue-\d+$/) as string,
    })
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '3600', urgency: 'normal' })
    expect(headers['topic']).toMatch(/^[A-Za-z0-9_-]{32}$/)
    expect(byteCount).toBeLessThanOrEqual(4_096)
    expect(claims).toMatchObject({ aud: new URL(browser.subscription.endpoint).origin })
    expect(Number(claims['exp']) * 1_000 - Date.now()).toBeLessThan(dayMs)
    expect(await (await server.open('member', page)).text()).toContain('Firefox on Linux')
    // The ledger names it.
    expect(await (await server.open('admin', '/alerts')).text()).toContain('Firefox on Linux')
  })

  it('keeps its endpoint and keys to itself: they are encrypted, as is the key of the installation', async () => {
    const browser = service.subscribe()
    await subscribe(browser)
    const [stored = ''] = server.read('SELECT secrets FROM push_subscriptions')
    const [keys = ''] = server.read("SELECT value FROM settings WHERE key = 'vapid_keys'")
    for (const secret of Object.values(browser.subscription)) expect(stored).not.toContain(secret)
    expect(keys).not.toContain('"d"')
    const shown = await (await server.open('member', page)).text()
    for (const secret of Object.values(browser.subscription)) expect(shown).not.toContain(secret)
  })

  it.each([404, 410])('is removed when its push service answers %i', async (status) => {
    const browser = service.subscribe()
    await subscribe(browser)
    service.answer(status)
    await tell()
    expect(browsers()).toEqual([])
    await tell()
    expect(browser.messages).toEqual([])
  })

  it('is notified later when its push service is down, and other browsers at once', async () => {
    const browser = service.subscribe()
    await subscribe(browser)
    service.answer(503)
    await tell()
    expect(server.read('SELECT status FROM alert_deliveries WHERE push_id IS NOT NULL')).toEqual(['waiting'])
    const metrics = server.services.metrics.registry.render()
    expect(metrics).toContain('culvert_alert_messages_waiting{channel="push"} 1\n')
    expect(metrics).toMatch(/culvert_alert_attempts_total\{channel="push",verdict="retry"\} \d/)
    service.answer(201)
    const other = service.subscribe()
    await subscribe(other)
    await tell()
    expect(other.messages).toHaveLength(1)
    await server.services.store.writer
      .updateTable('alert_deliveries')
      .set({ due_at: 0 })
      .where('status', '=', 'waiting')
      .execute()
    await server.services.alertDeliverer.deliver()
    expect(browser.messages.length).toBeGreaterThan(0)
  })

  it('subscribes again as the same one, can be removed only by its user, and is then not notified', async () => {
    const browser = service.subscribe()
    await subscribe(browser)
    await subscribe(browser)
    expect(browsers()).toEqual(['Firefox on Linux'])
    const [id = ''] = server.read('SELECT id FROM push_subscriptions')
    await server.postTo('viewer', page, { action: 'remove', push: id })
    expect(browsers()).toHaveLength(1)
    await server.postTo('member', page, { action: 'remove', push: id })
    await tell()
    expect([browsers(), browser.messages]).toEqual([[], []])
  })
})

it.each([
  ['https://culvert.example', 'Show notifications in this browser'],
  ['http://culvert.lan', 'Browser notifications require CULVERT_ORIGIN with https.'],
])('the settings at %s offer notifications in the browser, or say what is missing', async (origin, shown) => {
  const variables = { CULVERT_ORIGIN: origin }
  const other = await startConsole({ variables })
  onTestFinished(() => other.stop())
  await addUser(other.services.store)
  const headers = { accept: 'text/html', cookie: await cookieOf(other.origin) }
  const html = await (await fetch(other.origin + page, { headers })).text()
  const [panel = ''] = /<section[^>]* id="browsers".*?<\/section>/.exec(html) ?? []
  expect(panel).toContain(shown)
  expect(panel.includes('<button')).toBe(origin.startsWith('https:'))
})

describe('an invalid subscription', () => {
  it.each<[string, Record<string, string>]>([
    ['without JavaScript', { endpoint: '' }],
    ['http', { endpoint: 'http://localhost/push' }],
    ['no URL', { endpoint: 'javascript:alert(1)' }],
    ['a long endpoint', { endpoint: `https://push.example/${'x'.repeat(1_000)}` }],
    ['a point that is none', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
    ['a short secret', { auth: 'AAAA' }],
  ])('is rejected: %s', async (_, changes) => {
    const answer = await subscribe(service.subscribe(), changes)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(browsers()).toEqual([])
  })

  it('exceeds the number per user', async () => {
    for (let at = 0; at < 10; at += 1) await subscribe(service.subscribe())
    const answer = await subscribe(service.subscribe())
    expect([answer.status, browsers().length]).toEqual([422, 10])
  })

  it('causes no connection to an address that the operator has not allowed', async () => {
    await subscribe(service.subscribe(), { endpoint: 'https://127.0.0.1:1/push' })
    await tell()
    expect(
      server.read(
        'SELECT answer FROM alert_attempts WHERE delivery_id IN (SELECT id FROM alert_deliveries WHERE push_id IS NOT NULL)',
      ),
    ).toEqual([expect.stringContaining('its address is on this machine')])
  })
})

describe('a message to a browser', () => {
  const connections = new UpstreamConnections({ allowsPrivate: true })
  afterAll(() => connections.close())
  const keys = createVapidKeys()

  it.each([...hostileTitles.entries()])(
    'has the hostile title %i as text, within its limits',
    async (_, title) => {
      const browser = service.subscribe()
      const issue = alertIssue(1, { title, culprit: title, release: title })
      const single = alertMessage({
        items: [alertItem(1, { issue })],
        project: { slug: 'shop', name: title },
      })
      for (const message of [single, listMessage(12, title)]) {
        const destination = {
          id: 'd1',
          kind: 'push',
          settings: {},
          secret: JSON.stringify(browser.subscription),
        }
        const answer = await deliverToDestination(message, destination, {
          connections,
          deliveryId: 'delivery-1',
          now: Date.now,
          readVapid: () => Promise.resolve(keys),
          origin: 'https://culvert.example',
        })
        expect(answer).toMatchObject({ verdict: 'delivered', status: 201 })
      }
      expect(browser.messages).toHaveLength(2)
      for (const { message, byteCount, claims } of browser.messages) {
        expect(byteCount).toBeLessThanOrEqual(4_096)
        expect(String(message['url'])).toMatch(/^https:\/\/culvert\.example\//)
        expect(claims['sub']).toBe('https://culvert.example')
        expect(JSON.stringify(message)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
      }
    },
  )
})
