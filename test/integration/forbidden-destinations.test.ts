import { createECDH, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { channels, deliverToDestination } from '#server/alerts/channels/channels.ts'
import { createDestinationRule } from '#server/alerts/channels/http/destination-rule.ts'
import { createVapidKeys } from '#server/alerts/channels/push/vapid.ts'
import { UpstreamConnections, type ResolveName } from '#server/forward/connection.ts'
import { parsePrivateDestinations } from '#server/private-destinations.ts'
import { alertMessage } from '#test/alert-messages.ts'
import { receiverContracts } from '#test/channel-receivers.ts'
import { prepareConnectionCounter } from '#test/connection-counter.ts'
import { answerWith, startFakeUpstream } from '#test/fake-upstream.ts'

const forbidden = prepareConnectionCounter()

interface Surroundings {
  /** `CULVERT_ALLOW_PRIVATE_DESTINATIONS` */
  allowed?: string
  resolveName?: ResolveName
}

function deliverTo(kind: string, origin: string, { allowed = '', resolveName }: Surroundings = {}) {
  const rule = createDestinationRule(parsePrivateDestinations(allowed) ?? { networks: [], hosts: [] })
  const connections = new UpstreamConnections({ rule, ...(resolveName && { resolveName }) })
  onTestFinished(() => connections.close())
  const destination = { id: 'd1', kind, settings: receiverContracts[kind]?.fields(origin) ?? {} }
  return deliverToDestination(alertMessage(), destination, {
    connections,
    deliveryId: 'delivery-1',
    now: () => 0,
    timeoutMs: 5_000,
  })
}

const httpKinds = channels.map(({ kind }) => kind).filter((kind) => kind !== 'email')

const hosts =
  '127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 0.0.0.0 localhost [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1]'
    .split(' ')
    .concat(hostname())

const publicName: ResolveName = (_name, _options, callback) =>
  callback(null, [{ address: '93.184.215.14', family: 4 }])

const privateName: ResolveName = (_name, _options, callback) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }])

describe('a destination on this machine or a private network', () => {
  it.each(hosts)('gets no connection: %s', async (host) => {
    for (const scheme of ['http', 'https']) {
      const answer = await deliverTo('webhook', `${scheme}://${host}:${forbidden.port}`)
      expect(answer).toMatchObject({
        verdict: 'rejected',
        answerExcerpt: expect.stringMatching(
          /^its address is on this machine .*CULVERT_ALLOW_PRIVATE_DESTINATIONS=/,
        ) as string,
      })
    }
    expect(forbidden.count).toBe(0)
  })

  it.each(httpKinds)('gets no connection from %s', async (kind) => {
    expect((await deliverTo(kind, `https://127.0.0.1:${forbidden.port}`)).verdict).toBe('rejected')
    expect((await deliverTo(kind, `http://localhost:${forbidden.port}`)).verdict).toBe('rejected')
    expect(forbidden.count).toBe(0)
  })

  it.each([...hosts, 'rebound.example'])('gets no connection as a push service: %s', async (host) => {
    const browser = createECDH('prime256v1')
    browser.generateKeys()
    const settings = {
      endpoint: `https://${host}:${forbidden.port}/push`,
      p256dh: browser.getPublicKey('base64url'),
      auth: randomBytes(16).toString('base64url'),
    }
    const connections = new UpstreamConnections({
      rule: createDestinationRule({ networks: [], hosts: [] }),
      ...(host === 'rebound.example' && { resolveName: privateName }),
    })
    onTestFinished(() => connections.close())
    const answer = await deliverToDestination(
      alertMessage(),
      { id: 'b1', kind: 'push', settings },
      {
        connections,
        deliveryId: 'delivery-1',
        now: () => 0,
        timeoutMs: 5_000,
        readVapid: () => Promise.resolve(createVapidKeys()),
      },
    )
    expect(answer).toMatchObject({
      verdict: 'rejected',
      answerExcerpt: expect.stringMatching(/^its address is on this machine /) as string,
    })
    expect(forbidden.count).toBe(0)
  })

  it('gets no connection under a public name, even if the name had another address before', async () => {
    let count = 0
    const rebinding: ResolveName = (_name, _options, callback) => {
      count += 1
      callback(null, [{ address: count % 2 === 0 ? '93.184.215.14' : '127.0.0.1', family: 4 }])
    }
    const answer = await deliverTo('webhook', `https://rebound.example:${forbidden.port}`, {
      resolveName: rebinding,
    })
    expect(answer.verdict).toBe('rejected')
    // Resolved once: the checked address is the one that would be connected to.
    expect([count, forbidden.count]).toEqual([1, 0])
  })

  it('gets no connection by a redirect', async () => {
    const redirecting = await startFakeUpstream(
      answerWith(307, { location: `http://127.0.0.1:${forbidden.port}/` }),
    )
    onTestFinished(() => redirecting.close())
    const answer = await deliverTo('webhook', `http://${redirecting.address}`, {
      allowed: redirecting.address,
    })
    expect(answer).toMatchObject({ verdict: 'rejected', status: 307 })
    expect([redirecting.requests.length, forbidden.count]).toEqual([1, 0])
  })
})

describe('a destination on the internet', () => {
  it.each([
    ['http://hooks.example', /^its URL uses http:/],
    ['http://93.184.215.14', /^its URL uses http:/],
    ['https://hooks.example:25', /^its port 25 /],
    ['https://hooks.example:22', /^its port 22 /],
  ])('is not connected to without https: %s', async (origin, problem) => {
    const answer = await deliverTo('webhook', origin, { resolveName: publicName })
    expect(answer).toMatchObject({
      verdict: 'rejected',
      answerExcerpt: expect.stringMatching(problem) as string,
    })
  })
})

describe('the list of the operator', () => {
  it.each([
    ['the host', () => 'localhost'],
    ['the host with its port', () => `localhost:${forbidden.port}`],
    ['the network', () => '127.0.0.0/8,::1'],
    ['another one, too', () => `other.lan, localhost:${forbidden.port}`],
  ])('allows listed destinations: %s', async (_, allowed) => {
    await deliverTo('ntfy', `http://localhost:${forbidden.port}`, { allowed: allowed() })
    expect(forbidden.count).toBe(1)
  })

  it.each([
    ['another port', () => `localhost:${forbidden.port === 80 ? 81 : forbidden.port - 1}`],
    ['another host', () => 'other.lan'],
    ['the end of a name', () => 'host'],
    ['another network', () => '10.0.0.0/8'],
  ])('allows nothing else: %s', async (_, allowed) => {
    expect(
      (await deliverTo('ntfy', `http://localhost:${forbidden.port}`, { allowed: allowed() })).verdict,
    ).toBe('rejected')
    expect(forbidden.count).toBe(0)
  })
})
