import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { limits } from '#server/limits.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { listUpstreamStatuses } from '#server/store/upstreams/status.ts'
import { createUpstream, updateUpstream } from '#server/store/upstreams/upstreams.ts'
import { readEnvelope } from '#test/envelope-work.ts'
import { errorEnvelope } from '#test/envelopes.ts'
import { answerWith, startFakeUpstream, takeAll, type FakeUpstream } from '#test/fake-upstream.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { storedEventIds } from '#test/stored-events.ts'

const { id: projectId, publicKey } = fixtureProject
const upstreamDsn = 'http://0123456789abcdef0123456789abcdef@o4507.ingest.us.sentry.io/77'

let server: TestServer
let upstream: FakeUpstream
beforeEach(async () => {
  upstream = await startFakeUpstream()
  server = await startServer({ variables: { CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1' } })
})
afterEach(async () => {
  await server.stop()
  await upstream.close()
})

/** Adds the fake upstream to the fixture project, and starts to forward. */
async function forward(options: { kinds?: 'all' | 'errors'; isForwardOnly?: boolean } = {}): Promise<string> {
  const { kinds = 'all', isForwardOnly = false } = options
  const { store, projectKeys, forwarder } = server.services
  const dsn = parseDsn(upstreamDsn)
  if (dsn === undefined) throw new Error('no DSN')
  const created = await createUpstream(store, { projectId, dsn, connect: upstream.address, kinds })
  if (created.outcome !== 'created') throw new Error(created.outcome)
  if (isForwardOnly)
    await updateProjectSettings(store, projectId, () => ({ forwarding: { isStoredHere: false } }))
  await projectKeys.refresh()
  await forwarder.refresh()
  forwarder.start()
  return created.upstreamId
}

interface Sent {
  path?: string
  headers?: Record<string, string>
  body?: BodyInit
}

const send = ({
  path = `/api/${projectId}/envelope/?sentry_key=${publicKey}`,
  headers = {},
  body = errorEnvelope(),
}: Sent = {}) => fetch(`${server.origin}${path}`, { method: 'POST', headers, body })

const sendByTunnel = (sent: Sent = {}) =>
  send({
    path: '/monitoring?o=4507&p=77&r=us',
    body: errorEnvelope({ header: { dsn: upstreamDsn } }),
    ...sent,
    headers: { origin: server.origin, ...sent.headers },
  })

const status = async () => {
  const [found] = await listUpstreamStatuses(server.services.store.db, [projectId])
  if (found === undefined) throw new Error('no upstream')
  return found
}
const stored = async () => (await storedEventIds(server.services.store, projectId)).length
const arrived = async (count: number) => {
  await expect.poll(() => upstream.requests).toHaveLength(count)
}

/** What the upstream receives of spans of a trace. */
const expected = (trace_id: string | undefined, item_count: number) => ({
  trace: { trace_id, public_key: '0123456789abcdef0123456789abcdef' },
  items: [{ type: 'span', item_count, content_type: 'application/vnd.sentry.items.span.v2+json' }],
})

describe('forwarding', () => {
  it('stores an envelope and forwards the same bytes', async () => {
    await forward()
    const body = Buffer.from(errorEnvelope({ header: { dsn: upstreamDsn } }))
    expect((await sendByTunnel({ body })).status).toBe(200)
    await arrived(1)
    expect(upstream.requests[0]?.body.equals(body)).toBe(true)
    expect(upstream.requests[0]).toMatchObject({ method: 'POST', url: '/api/77/envelope/' })
    expect(await stored()).toBe(1)
    await expect.poll(status).toMatchObject({ deliveredCount: 1, waitingCount: 0 })
  })

  it('forwards spans of OpenTelemetry as envelopes of one trace, with at most 1,000 spans each', async () => {
    await forward()
    const nanos = `${BigInt(Date.now()) * 1_000_000n}`
    const traces = ['a', 'b'].map((digit) => digit.repeat(32))
    const spans = Array.from({ length: limits.forwardedSpans + 101 }, (_, at) => ({
      traceId: traces[at < 100 ? 0 : 1],
      spanId: (at + 1).toString(16).padStart(16, '0'),
      name: 'span',
      startTimeUnixNano: nanos,
      endTimeUnixNano: nanos,
    }))
    const answer = await send({
      path: `/api/${projectId}/integration/otlp/v1/traces?sentry_key=${publicKey}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    })
    expect(answer.status).toBe(200)
    await arrived(3)
    const forwarded = upstream.requests.map(({ body }) => {
      const { header, items } = readEnvelope(body)
      return {
        trace: header.raw['trace'],
        items: items.map(({ header: { length: _length, ...rest } }) => rest),
      }
    })
    // Several are on their way at once.
    expect(forwarded).toEqual(
      expect.arrayContaining([
        expect.objectContaining(expected(traces[0], 100)),
        expect.objectContaining(expected(traces[1], limits.forwardedSpans)),
        expect.objectContaining(expected(traces[1], 1)),
      ]),
    )
  })

  it('forwards the address and the user agent of the client, and none of its secrets', async () => {
    await forward()
    await sendByTunnel({
      headers: {
        cookie: 'session=SECRET',
        authorization: 'Bearer SECRET',
        'x-api-key': 'SECRET',
        'sentry-trace': 'SECRET',
        baggage: 'SECRET',
        traceparent: 'SECRET',
        referer: `${server.origin}/SECRET`,
        'user-agent': 'Browser/1.0',
        'x-forwarded-for': '198.51.100.7',
      },
    })
    await arrived(1)
    const { headers, rawHeaders } = upstream.requests[0] ?? {}
    expect(JSON.stringify(rawHeaders)).not.toContain('SECRET')
    expect(headers).toEqual({
      host: 'o4507.ingest.us.sentry.io',
      connection: 'keep-alive',
      'content-type': 'application/x-sentry-envelope',
      'content-length': expect.stringMatching(/^[0-9]+$/) as string,
      'user-agent': 'Browser/1.0',
      'x-sentry-auth':
        'Sentry sentry_version=7, sentry_client=culvert, sentry_key=0123456789abcdef0123456789abcdef',
      'x-sentry-forwarded-for': '198.51.100.7',
      via: '1.1 culvert',
    })
  })

  it('forwards envelopes of the project’s endpoint, under the DSN of the upstream', async () => {
    await forward()
    await send({ body: errorEnvelope({ header: { dsn: await server.dsn(projectId) } }) })
    await arrived(1)
    expect(JSON.parse(upstream.requests[0]?.body.toString().split('\n')[0] ?? '')).toMatchObject({
      dsn: upstreamDsn,
    })
  })

  it('forwards events of the store endpoint as an envelope with the answered id', async () => {
    await forward()
    const answer = await send({
      path: `/api/${projectId}/store/?sentry_key=${publicKey}`,
      body: JSON.stringify({ message: 'old' }),
    })
    const { id } = (await answer.json()) as { id: string }
    await arrived(1)
    expect(upstream.requests[0]?.body.toString()).toContain(id)
  })

  it('stores no events of a project that only forwards', async () => {
    await forward({ isForwardOnly: true })
    expect((await sendByTunnel()).status).toBe(200)
    await arrived(1)
    expect(await stored()).toBe(0)
    const outcomes = server.services.store.connection
      .prepare('SELECT outcome, reason, quantity FROM outcome_hours')
      .all()
    expect(outcomes).toEqual([{ outcome: 'accepted', reason: 'forwarded', quantity: 1 }])
  })

  it.each(['event', 'transaction', 'feedback'])(
    'gives the item %s an id if a project only forwards, and answers with it',
    async (type) => {
      await forward({ isForwardOnly: true })
      const answer = await send({ body: `{}\n{"type":"${type}"}\n{"message":"no id"}\n` })
      const { id } = (await answer.json()) as { id: string }
      expect(id).toMatch(/^[0-9a-f]{32}$/)
      await arrived(1)
      const [header = ''] = upstream.requests[0]?.body.toString().split('\n') ?? []
      expect(JSON.parse(header)).toMatchObject({ event_id: id })
      expect(upstream.requests[0]?.body.toString()).toContain('{"message":"no id"}')
    },
  )

  it('answers an envelope without an event with no id', async () => {
    await forward({ isForwardOnly: true })
    const answer = await send({ body: '{}\n{"type":"session"}\n{"sid":"a"}\n' })
    expect(await answer.json()).toEqual({})
    await arrived(1)
  })

  it('omits items that the upstream must not receive', async () => {
    await forward({ kinds: 'errors' })
    const session = '{}\n{"type":"session"}\n{"sid":"a"}\n'
    await send({ body: session })
    await send({ body: `${errorEnvelope()}\n{"type":"session"}\n{"sid":"SESSION"}\n` })
    await arrived(1)
    expect(upstream.requests[0]?.body.toString()).not.toContain('SESSION')
  })

  it('answers a browser 200 whatever the upstream answers, without its headers and body', async () => {
    await forward()
    for (const behaviour of [
      answerWith(500),
      answerWith(302, { location: 'http://127.0.0.1:1/' }),
      answerWith(403),
    ]) {
      upstream.behave(behaviour)
      const before = upstream.requests.length
      const answer = await sendByTunnel()
      expect(answer.status).toBe(200)
      expect(await answer.text()).not.toContain('SECRET')
      await expect.poll(() => upstream.requests.length).toBeGreaterThan(before)
    }
  })

  it('stores a rejected envelope as a failed one, and continues', async () => {
    await forward()
    upstream.behave(answerWith(403))
    await sendByTunnel()
    await expect.poll(status).toMatchObject({ failedCount: 1, waitingCount: 0 })
    upstream.behave(takeAll)
    await sendByTunnel()
    await expect.poll(status).toMatchObject({ failedCount: 1, deliveredCount: 1 })
  })

  it('obeys the rate limits of an upstream, and advertises them to browsers that address it', async () => {
    await forward()
    upstream.behave(answerWith(429, { 'x-sentry-rate-limits': '60:error:organization:quota' }))
    await sendByTunnel()
    await arrived(1)
    await vi.waitFor(async () => {
      const { headers } = await sendByTunnel()
      expect(headers.get('x-sentry-rate-limits')).toMatch(/^(?:60|[1-5]\d):error:organization:upstream$/)
    }, 20_000)
    // If clients of this project got it, events stored here would be lost.
    const held = await send({ body: errorEnvelope({ value: 'held back' }) })
    expect(held.headers.get('x-sentry-rate-limits')).toBeNull()
    await send({ body: '{}\n{"type":"session"}\n{"sid":"a"}\n' })
    const wasSent = (text: string) => upstream.requests.some(({ body }) => body.includes(text))
    // Envelopes sent before the answer of the upstream was read can arrive in between.
    await expect.poll(() => wasSent('session')).toBe(true)
    expect(wasSent('held back')).toBe(false)
  })

  it('sends nothing while it is paused', async () => {
    const upstreamId = await forward()
    const { store, forwarder } = server.services
    await updateUpstream(store, { projectId, upstreamId }, { isPaused: true })
    await forwarder.refresh()
    for (let at = 0; at < 3; at += 1) await sendByTunnel()
    expect(await status()).toMatchObject({ waitingCount: 3, isPaused: true })
    expect(upstream.requests).toHaveLength(0)
    await updateUpstream(store, { projectId, upstreamId }, { isPaused: false })
    await forwarder.refresh()
    await arrived(3)
  })

  it('does not forward envelopes that another Culvert forwarded', async () => {
    await forward()
    await send({ headers: { via: '1.1 culvert' } })
    await send({ headers: { via: '1.1 culvert, 1.1 Caddy' } })
    await send()
    await arrived(1)
    expect(await stored()).toBe(3)
  })

  it('forwards envelopes that came through a proxy on a host with this name', async () => {
    await forward()
    await send({ headers: { via: '1.1 culvert.example.com (Apache/2.4)' } })
    await send({ headers: { via: '1.1 culvert (Varnish/7.4)' } })
    await arrived(2)
    expect(upstream.requests).toHaveLength(2)
  })
})
