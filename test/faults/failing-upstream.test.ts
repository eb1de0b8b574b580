import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addUpstream } from '#server/forward/add-upstream.ts'
import { createForwarder, type Forwarder } from '#server/forward/forwarder.ts'
import { limits } from '#server/limits.ts'
import { createLog } from '#server/log.ts'
import { listUpstreamStatuses } from '#server/store/upstream-status.ts'
import { errorEnvelope, randomEventId } from '../support/envelopes.ts'
import {
  answerWith,
  startFakeUpstream,
  takeAll,
  type FakeUpstream,
  type UpstreamBehaviour,
} from '../support/fake-upstream.ts'
import { fixtureProject, startServer, type TestServer } from '../support/start-server.ts'

const { id: projectId } = fixtureProject
const key = 'c'.repeat(32)
/** Six hours pass in about a second. */
const speed = 20_000
const timeoutMs = 300

let server: TestServer
let upstream: FakeUpstream
let forwarder: Forwarder
beforeEach(async () => {
  upstream = await startFakeUpstream()
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
    bounds: { timeoutMs },
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

/** Sends so many by the tunnel; each must be answered as if there were no upstream. Returns their ids in order. */
async function send(dsn: string, count = 20): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const eventId = randomEventId()
    const body = errorEnvelope({ eventId, header: { dsn } })
    const answer = await fetch(`${server.origin}/monitoring`, { method: 'POST', body })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ id: eventId })
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

/** Ids in the order in which the upstream took them, since some moment. */
const takenSince = (from: number) =>
  upstream.requests
    .slice(from)
    .map(({ body }) => /"event_id":"([0-9a-f]{32})"/.exec(body.toString())?.[1] ?? '')

/** Everything is there; what came twice is told apart; nobody was overtaken by as many as are on their way at once. */
function expectInOrder(sent: string[], taken: string[]): void {
  const firstTimes = [...new Set(taken)]
  expect(firstTimes.toSorted()).toEqual(sent.toSorted())
  for (const [place, id] of firstTimes.entries())
    expect(Math.abs(place - sent.indexOf(id))).toBeLessThan(limits.forwardConcurrency)
  expect(taken.length - firstTimes.length).toBeLessThanOrEqual(limits.forwardConcurrency)
}

const dsn = `http://${key}@up.example/7`
const date = () => new Date(Date.now() + 5_000).toUTCString()

const faults: [string, () => UpstreamBehaviour][] = [
  ['answers 500', () => answerWith(500)],
  ['answers 503 and says when', () => answerWith(503, { 'retry-after': '30' })],
  ['redirects', () => answerWith(302, { location: 'http://127.0.0.1:9/' })],
  ['says 429 and no time', () => answerWith(429)],
  ['says 429 and seconds', () => answerWith(429, { 'retry-after': '30' })],
  ['says 429 and a date', () => answerWith(429, { 'retry-after': date() })],
  ['says 429 and nonsense', () => answerWith(429, { 'retry-after': 'soon' })],
  ['says 429 and a thousand million seconds', () => answerWith(429, { 'retry-after': '1000000000' })],
  ['limits errors', () => answerWith(429, { 'x-sentry-rate-limits': '30:error:organization:quota' })],
  ['answers after a minute', () => (response) => void setTimeout(() => response.end('{}'), timeoutMs * 4)],
  ['resets connections', () => (response) => response.socket?.resetAndDestroy()],
  ['closes connections', () => (response) => response.destroy()],
]

describe('an upstream that', () => {
  it.each(faults)('%s costs nothing: all arrives afterwards, in order', async (_what, makeFault) => {
    upstream.behave(makeFault())
    await addTo(dsn, upstream.address)
    const sent = await send(dsn)
    await vi.waitFor(() => expect(upstream.requests.length).toBeGreaterThan(0), 5_000)
    await vi.waitFor(async () => expect((await status()).state.answer).toBeDefined(), 5_000)
    expect(await status()).toMatchObject({ waitingCount: sent.length, deliveredCount: 0 })
    const from = upstream.requests.length
    upstream.behave(takeAll)
    await isDrained()
    expectInOrder(sent, takenSince(from))
  })

  it('is down for hours is asked ever less often, by one envelope', async () => {
    const { address } = upstream
    await upstream.close()
    await addTo(dsn, address)
    const sent = await send(dsn)
    await vi.waitFor(async () => expect((await status()).state.failureCount ?? 0).toBeGreaterThan(6), {
      timeout: 20_000,
      interval: 100,
    })
    const { state } = await status()
    // Six hours at a quarter of an hour each, about: not one try for each of the twenty.
    expect(state.failureCount).toBeLessThan(2_000)
    expect(state.answer).toBe('ECONNREFUSED')
    upstream = await startFakeUpstream(takeAll, Number(address.split(':')[1]))
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
    const sent = await send(dsn, 5)
    await isDrained()
    expectInOrder(sent, takenSince(0))
    // Of each answer little more than what sockets hold.
    expect(writtenBytes).toBeLessThan(sent.length * 16e6)
  })

  it.each([
    ['speaks no TLS', (address: string) => ({ dsn: `https://${key}@up.example/7`, connect: address })],
    ['has no address', () => ({ dsn: `http://${key}@nowhere.invalid/7` })],
  ])('%s keeps what waits', async (_what, make) => {
    const plain = createServer((socket) => socket.end('no TLS\r\n')).listen(0, '127.0.0.1')
    await new Promise((resolve) => plain.once('listening', resolve))
    const bound = plain.address()
    const made: { dsn: string; connect?: string } = make(
      `127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`,
    )
    await addTo(made.dsn, made.connect)
    const sent = await send(made.dsn, 5)
    await vi.waitFor(async () => expect((await status()).state.failureCount ?? 0).toBeGreaterThan(2), {
      timeout: 20_000,
      interval: 100,
    })
    expect(await status()).toMatchObject({ waitingCount: sent.length, failedCount: 0 })
    plain.close()
  })
})
