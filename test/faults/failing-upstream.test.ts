import { execFileSync, spawnSync } from 'node:child_process'
import { lookup } from 'node:dns'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addUpstream } from '#server/forward/add-upstream.ts'
import type { ResolveName } from '#server/forward/connection.ts'
import { createForwarder, type Forwarder } from '#server/forward/forwarder.ts'
import { limits } from '#server/limits.ts'
import { createLog } from '#server/log.ts'
import { listUpstreamStatuses } from '#server/store/upstreams/status.ts'
import { listUndelivered } from '#server/store/upstreams/undelivered.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import {
  answerWith,
  startFakeUpstream,
  takeAll,
  type FakeUpstream,
  type UpstreamBehaviour,
} from '#test/fake-upstream.ts'
import { findFreePort } from '#test/listen-locally.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { pause } from '#test/waiting.ts'
import { hourMs } from '#time/time-steps.ts'

const { id: projectId } = fixtureProject
const key = 'c'.repeat(32)
/** Six hours pass in about a second. */
const speed = 20_000
/** Long enough that no accepted envelope is sent twice on a busy machine. */
const timeoutMs = 10_000
const shortTimeoutMs = 300
const bounds = { timeoutMs }

const sixHoursMs = (6 * hourMs) / speed
const openssl = spawnSync('openssl', ['version']).status === 0

let server: TestServer
/** How names are resolved; by the system unless a test replaces it. */
let resolveName: ResolveName
let upstream: FakeUpstream
let forwarder: Forwarder
beforeEach(async () => {
  upstream = await startFakeUpstream()
  resolveName = lookup
  bounds.timeoutMs = timeoutMs
  server = await startServer()
  const { store, committer } = server.services
  forwarder = createForwarder({
    store,
    committer,
    speed,
    allowsPrivate: true,
    startedAlone: true,
    random: Math.random,
    log: createLog('silent'),
    bounds,
    resolveName: (...asked) => resolveName(...asked),
  })
})
afterEach(async () => {
  await forwarder.stop()
  await server.stop()
  await upstream.close()
})

async function addTo(dsn: string, connect?: string): Promise<void> {
  const input = { projectId, dsn, ...(connect !== undefined && { connect }) }
  const added = await addUpstream(server.services.store, input, server.origin)
  if (!added.ok) throw new Error(added.problem)
  await server.services.projectKeys.refresh()
  forwarder.start()
}

/**
 * Sends this many envelopes by the tunnel; each must be answered as if there were no upstream. Returns their
 * ids in order.
 */
async function send(dsn: string, count = 20): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const eventId = randomEventId()
    const body = errorEnvelope({ eventId, header: { dsn } })
    const answer = await fetch(`${server.origin}/monitoring`, { method: 'POST', body })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('')
    ids.push(eventId)
  }
  return ids
}

const status = async () => {
  const [found] = await listUpstreamStatuses(server.services.store.db, [projectId])
  if (found === undefined) throw new Error('no upstream')
  return found
}
const isDrained = () =>
  vi.waitFor(async () => expect(await status()).toMatchObject({ waitingCount: 0, failedCount: 0 }), {
    timeout: 30_000,
    interval: 100,
  })

/** Ids in the order in which the upstream accepted them, from an index on. */
const takenSince = (from: number) =>
  upstream.requests
    .slice(from)
    .map(({ body }) => /"event_id":"([0-9a-f]{32})"/.exec(body.toString())?.[1] ?? '')

/**
 * Everything has arrived; duplicates are reported; no envelope was overtaken by as many as may be in flight
 * at once. The first one may be any: it was the probe.
 */
function expectInOrder(sent: string[], taken: string[]): void {
  const firstTimes = [...new Set(taken)]
  expect(firstTimes.toSorted()).toEqual(sent.toSorted())
  const [probe, ...others] = firstTimes
  const inOrder = sent.filter((id) => id !== probe)
  for (const [place, id] of others.entries())
    expect(Math.abs(place - inOrder.indexOf(id))).toBeLessThan(limits.forwardConcurrency)
  expect(taken.length - firstTimes.length).toBeLessThanOrEqual(limits.forwardConcurrency)
}

const dsn = `http://${key}@up.example/7`
/** Every form of `Retry-After`, valid and invalid. */
const retryAfters = [
  undefined,
  '30',
  '2.5',
  '0',
  '-5',
  '',
  'soon',
  '1e9',
  '1000000000',
  '9'.repeat(400),
  new Date(Date.now() + 5_000).toUTCString(),
  new Date(Date.now() - 5_000).toUTCString(),
  'Sun Nov  6 08:49:37 1994',
]

const faults: [string, () => UpstreamBehaviour][] = [
  ['answers 500', () => answerWith(500)],
  ['answers 503 and says when', () => answerWith(503, { 'retry-after': '30' })],
  ['redirects', () => answerWith(302, { location: 'http://127.0.0.1:9/' })],
  ['limits errors', () => answerWith(429, { 'x-sentry-rate-limits': '30:error:organization:quota' })],
  [
    'answers after a minute',
    () => {
      bounds.timeoutMs = shortTimeoutMs
      return (response) => void setTimeout(() => response.end('{}'), shortTimeoutMs * 2)
    },
  ],
  ['resets connections', () => (response) => response.socket?.resetAndDestroy()],
  ['closes connections', () => (response) => response.destroy()],
]

describe('an upstream that', () => {
  it.each(faults)('%s loses nothing: all envelopes arrive afterwards, in order', async (_what, makeFault) => {
    upstream.behave(makeFault())
    await addTo(dsn, upstream.address)
    const sent = await send(dsn)
    await expect.poll(() => upstream.requests.length).toBeGreaterThan(0)
    await expect.poll(async () => (await status()).state.answer).toBeDefined()
    expect(await status()).toMatchObject({ waitingCount: sent.length, deliveredCount: 0 })
    const from = upstream.requests.length
    upstream.behave(takeAll)
    bounds.timeoutMs = timeoutMs
    await isDrained()
    expectInOrder(sent, takenSince(from))
  })

  it.each([429, 503])(
    'answers %i with each form of Retry-After in turn is retried after each, with one envelope',
    async (code) => {
      const left = [...retryAfters]
      upstream.behave((response, request) => {
        if (left.length === 0) {
          takeAll(response, request)
          return
        }
        const retryAfter = left.shift()
        answerWith(code, retryAfter === undefined ? {} : { 'retry-after': retryAfter })(response, request)
      })
      await addTo(dsn, upstream.address)
      const sent = await send(dsn)
      await isDrained()
      const askedBefore = takenSince(0).slice(0, retryAfters.length)
      // The envelopes in flight at the first rejection were sent with it; after that only the oldest, a few
      // times.
      const { forwardConcurrency: atOnce, forwardTriesOfOldest: tries } = limits
      const again = askedBefore.findIndex((id, at) => askedBefore.indexOf(id) < at)
      expect(again).toBeLessThanOrEqual(atOnce)
      expect(new Set(askedBefore.slice(again, again + tries - 1)).size).toBe(1)
      expectInOrder(sent, takenSince(retryAfters.length))
    },
  )

  it('rejects only some envelopes receives the others, and the rejected ones are stored as failed', async () => {
    // More than may be in flight at once.
    const count = limits.forwardConcurrency + 1
    const poison = new Set<string>()
    upstream.behave((response, request) => {
      const [, id = ''] = /"event_id":"([0-9a-f]{32})"/.exec(request.body.toString()) ?? []
      if (poison.size < count) poison.add(id)
      if (poison.has(id)) response.socket?.resetAndDestroy()
      else takeAll(response, request)
    })
    await addTo(dsn, upstream.address)
    const sent = await send(dsn, count)
    // Whether an envelope is the cause is known once others are accepted.
    while ((await status()).failedCount < count) sent.push(...(await send(dsn, 10)))
    await vi.waitFor(async () => expect((await status()).waitingCount).toBe(0), { timeout: 30_000 })
    const taken = new Set(takenSince(0)).difference(poison)
    expect(taken).toEqual(new Set(sent).difference(poison))
    const set = await listUndelivered(server.services.store.db, { projectIds: [projectId], limit: 50 })
    expect(set.map(({ problem }) => problem)).toEqual(
      Array.from({ length: count }, () => 'ECONNRESET, and others were accepted'),
    )
  })

  it('answers 200 and never ends the body has accepted the envelope, and does not block the others for long', async () => {
    // Long enough for the head of an answer on a busy machine: later, the envelope is sent again.
    bounds.timeoutMs = 1_000
    upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    })
    await addTo(dsn, upstream.address)
    const sent = await send(dsn)
    await isDrained()
    expectInOrder(sent, takenSince(0))
    expect(takenSince(0)).toHaveLength(sent.length)
  })

  it('fails on every third request receives everything', async () => {
    let requestCount = 0
    upstream.behave((response, request) => {
      requestCount += 1
      if (requestCount % 3 === 0) answerWith(500)(response, request)
      else takeAll(response, request)
    })
    await addTo(dsn, upstream.address)
    const sent = await send(dsn, 60)
    await isDrained()
    expect(new Set(takenSince(0))).toEqual(new Set(sent))
  })

  it('is down for six hours is retried at growing intervals, with one envelope', async () => {
    await upstream.close()
    const port = await findFreePort()
    await addTo(dsn, `127.0.0.1:${port}`)
    const sent = await send(dsn)
    await pause(sixHoursMs)
    await vi.waitFor(async () => expect((await status()).state.failureCount ?? 0).toBeGreaterThan(6), {
      timeout: 20_000,
      interval: 100,
    })
    const { state } = await status()
    // About one attempt in a quarter of an hour: not one for each of the twenty.
    expect(state.failureCount).toBeLessThan(2_000)
    expect(state.answer).toBe('ECONNREFUSED')
    upstream = await startFakeUpstream(takeAll, port)
    await isDrained()
    expectInOrder(sent, takenSince(0))
  })

  it('sends a gigabyte has its connection closed, and memory stays flat', async () => {
    let writtenBytes = 0
    upstream.behave((response) => {
      const chunk = Buffer.alloc(65_536, 'x')
      const pour = () => {
        while (!response.destroyed && writtenBytes < 1e9) {
          writtenBytes += chunk.length
          if (!response.write(chunk)) {
            response.once('drain', pour)
            return
          }
        }
        response.end()
      }
      pour()
    })
    await addTo(dsn, upstream.address)
    const residentBytes = process.memoryUsage.rss()
    const sent = await send(dsn, 5)
    await isDrained()
    expectInOrder(sent, takenSince(0))
    expect(process.memoryUsage.rss() - residentBytes).toBeLessThan(150e6)
    // Of each answer, the server reads little more than the buffers of a socket.
    expect(writtenBytes).toBeLessThan(sent.length * 16e6)
  })

  it('has no address gets everything once its name resolves', async () => {
    const named = `http://${key}@${upstream.address.replace('127.0.0.1', 'up.invalid')}/7`
    await addTo(named)
    const sent = await send(named, 5)
    await failsSeveralTimes('ENOTFOUND')
    expect(await status()).toMatchObject({ waitingCount: sent.length, failedCount: 0 })
    resolveName = (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }])
    await isDrained()
    expectInOrder(sent, takenSince(0))
  })

  it.skipIf(!openssl)(
    'breaks TLS in any way gets everything once it is right, and nothing before (skipped without openssl)',
    async () => {
      const named = `https://${key}@up.example/7`
      const [right, wrongName] = [await startTls('up.example'), await startTls('other.example')]
      const noTls = createServer((socket) => socket.end('no TLS\r\n')).listen(0, '127.0.0.1')
      await once(noTls, 'listening')
      const noTlsPort = (noTls.address() as AddressInfo).port
      // One address, where each failure is tried in turn.
      let port = noTlsPort
      const front = createServer((socket) => passOn(socket, port)).listen(0, '127.0.0.1')
      await once(front, 'listening')
      await addTo(named, `127.0.0.1:${(front.address() as AddressInfo).port}`)
      const sent = await send(named, 5)
      await failsSeveralTimes(/^ERR_SSL|EPROTO|ECONNRESET/)
      port = right.port
      await failsSeveralTimes(/CERT/)
      const trusted = getCACertificates('default')
      setDefaultCACertificates([...trusted, right.certificate, wrongName.certificate])
      port = wrongName.port
      await failsSeveralTimes('ERR_TLS_CERT_ALTNAME_INVALID')
      expect(await status()).toMatchObject({ waitingCount: sent.length, failedCount: 0 })
      expect(right.bodies.concat(wrongName.bodies)).toEqual([])
      port = right.port
      await isDrained()
      setDefaultCACertificates(trusted)
      expectInOrder(
        sent,
        right.bodies.map((body) => /"event_id":"([0-9a-f]{32})"/.exec(body)?.[1] ?? ''),
      )
      await forwarder.stop()
      for (const each of [right, wrongName, noTls, front]) each.close()
    },
  )
})

/** Waits for failures of one kind. */
const failsSeveralTimes = (answer: string | RegExp) =>
  vi.waitFor(
    async () => {
      const { state } = await status()
      expect(state.failureCount ?? 0).toBeGreaterThan(2)
      expect(state.answer).toMatch(answer)
    },
    { timeout: 20_000, interval: 100 },
  )

/** An upstream with TLS and a certificate for one name. */
async function startTls(name: string) {
  const folder = await createTempDir()
  const [keyPath, certificatePath] = [join(folder.path, 'key'), join(folder.path, 'crt')]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const files = ['-keyout', keyPath, '-out', certificatePath]
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' })
  const certificate = readFileSync(certificatePath, 'utf8')
  const bodies: string[] = []
  const options = { key: readFileSync(keyPath), cert: certificate }
  const tls = createHttpsServer(options, (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      bodies.push(body)
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(tls, 'listening')
  await folder.remove()
  return {
    port: (tls.address() as AddressInfo).port,
    certificate,
    bodies,
    close() {
      tls.closeAllConnections()
      tls.close()
    },
  }
}

function passOn(socket: Socket, port: number): void {
  const further = createConnection(port, '127.0.0.1')
  socket.pipe(further).pipe(socket)
  for (const each of [socket, further]) each.on('error', () => socket.destroy())
}
