import { pino } from 'pino'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { limits } from '#server/limits.ts'
import { createLog } from '#server/log.ts'
import { createCommitter, type Committer } from '#server/store/ingest/committer.ts'
import { deleteUpstream } from '#server/store/upstreams/deletion.ts'
import { listUpstreamStatuses } from '#server/store/upstreams/status.ts'
import { createUpstream, updateUpstream } from '#server/store/upstreams/upstreams.ts'
import { answerWith, startFakeUpstream, takeAll, type FakeUpstream } from '#test/fake-upstream.ts'
import { forwarderOptions } from '#test/forwarder-options.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { openTestStore, testNow, type TestStore } from '#test/test-store.ts'
import { expectThroughout } from '#test/waiting.ts'
import { hourMs } from '#time/time-steps.ts'
import { createForwarder, type Forwarder } from './forwarder.ts'

/** A day takes a little more than four seconds. */
const speed = 20_000

let store: TestStore
let committer: Committer
let fake: FakeUpstream
let upstream: { projectId: number; upstreamId: string }
let wallMs: number
beforeEach(async () => {
  wallMs = testNow
  store = await openTestStore({ clock: () => wallMs })
  committer = createCommitter(store)
  fake = await startFakeUpstream()
  onTestFinished(() => fake.close())
  const dsn = parseDsn(`http://${'a'.repeat(32)}@up.example/7`)
  const created = dsn && (await createUpstream(store, { projectId: 1, dsn, connect: fake.address }))
  if (created?.outcome !== 'created') throw new Error('no upstream')
  upstream = { projectId: 1, upstreamId: created.upstreamId }
})

/** A process that can forward; `atSpeed` 1: in real time. */
function create(atSpeed = speed, log = createLog('silent')): Forwarder {
  const forwarder = createForwarder({
    store,
    committer,
    speed: atSpeed,
    log,
    ...forwarderOptions,
  })
  onTestFinished(() => forwarder.stop())
  return forwarder
}

/** A process that forwards. */
function start(atSpeed = speed): Forwarder {
  const forwarder = create(atSpeed)
  forwarder.start()
  return forwarder
}

async function put(count: number): Promise<void> {
  const outbox = Array.from({ length: count }, (_, at) =>
    Object.assign({ category: 'error', receivedAt: testNow, body: Buffer.from(`{}\n${at}`) }, upstream),
  )
  await committer.commit({ events: [], outcomes: [], deadLetters: [], outbox })
}

const status = async () => {
  const [found] = await listUpstreamStatuses(store.db, [1])
  if (found === undefined) throw new Error('no upstream')
  return found
}
const isWaiting = (count: number) =>
  vi.waitFor(async () => expect((await status()).waitingCount).toBe(count), {
    timeout: 40_000,
    interval: 50,
  })
const hasAnswered = (answer: string) =>
  vi.waitFor(async () => expect((await status()).state.answer).toBe(answer), {
    timeout: 20_000,
    interval: 50,
  })

/** Answers each 12th request with 503, and returns the bodies that it accepted. */
function rejectSome(): string[] {
  const accepted: string[] = []
  let requestCount = 0
  fake.behave((response, request) => {
    requestCount += 1
    if (requestCount % 12 === 0) return answerWith(503)(response, request)
    accepted.push(request.body.toString())
    takeAll(response, request)
  })
  return accepted
}

describe('an upstream that sends Retry-After', () => {
  it('is retried immediately when a user requests it in another process', async () => {
    fake.behave(answerWith(429, { 'retry-after': '86400' }))
    start()
    await put(3)
    await hasAnswered('429')
    fake.behave(takeAll)
    const askedBefore = fake.requests.length
    const { requestedRetryCount } = await status()
    await updateUpstream(store, upstream, { isTriedNow: true })
    expect((await status()).requestedRetryCount).toBe(requestedRetryCount + 1)
    await expect.poll(() => fake.requests.length).toBeGreaterThan(askedBefore)
    await isWaiting(0)
  })

  it('is retried in time when the clock is set back and another process takes over', async () => {
    fake.behave(answerWith(503, { 'retry-after': '86400' }))
    const first = start()
    await put(3)
    await hasAnswered('503')
    const second = start()
    await first.stop()
    await second.refresh()
    fake.behave(takeAll)
    wallMs -= 23 * hourMs
    await isWaiting(0)
    expect((await status()).deliveredCount).toBe(3)
  })
})

describe('an upstream that rejects 8 % of the envelopes', () => {
  it('receives the other envelopes meanwhile, and each of them once', async () => {
    const accepted = rejectSome()
    await put(1_200)
    const startedAt = performance.now()
    start(1)
    await isWaiting(0)
    // A shared delay of half a second for each 503 would take 54 s.
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect(accepted).toHaveLength(1_200)
    expect(new Set(accepted).size).toBe(1_200)
    expect(await status()).toMatchObject({ deliveredCount: 1_200, droppedCount: 0 })
  }, 60_000)

  it('is paused for the Retry-After of a 503', async () => {
    let isAsked = 0
    fake.behave((response, request) => {
      isAsked += 1
      if (isAsked === 20) answerWith(503, { 'retry-after': '3600' })(response, request)
      else takeAll(response, request)
    })
    await put(200)
    start(1)
    await expect.poll(async () => (await status()).state.failureCount).toBe(1)
    // Seven may have been in flight.
    await expectThroughout(500, () => expect(isAsked).toBeLessThanOrEqual(27))
    expect((await status()).waitingCount).toBeGreaterThan(170)
  })
})

const failStore = (table = 'upstreams') =>
  store.connection.exec(`ALTER TABLE ${table} RENAME TO ${table}_away`)
const repairStore = (table = 'upstreams') =>
  store.connection.exec(`ALTER TABLE ${table}_away RENAME TO ${table}`)

/** A log, and its lines from warnings on. */
function createLines() {
  const lines: string[] = []
  return { lines, log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }) }
}

describe('a store that fails', () => {
  it('is read again by the next call of a process that is suspended in between', async () => {
    await put(1)
    const forwarder = create(1)
    const bounds = { sendMs: 20_000, awaitLeaseMs: 20_000 }
    failStore()
    await expect(forwarder.deliver(bounds)).rejects.toThrow(/upstreams/)
    repairStore()
    expect(await forwarder.deliver(bounds)).toBe('done')
    expect((await status()).deliveredCount).toBe(1)
  })

  it('is logged once in an outage, and read again after it', async () => {
    const { lines, log } = createLines()
    const reads = vi.spyOn(store.db, 'selectFrom')
    failStore()
    create(1, log).start()
    await expect.poll(() => reads.mock.calls.length).toBeGreaterThan(3)
    repairStore()
    await put(1)
    await isWaiting(0)
    expect(lines).toHaveLength(1)
  })
})

describe('a retry', () => {
  it.each([
    ['outbox', /could not be forwarded/],
    ['leases', /the outbox cannot be read/],
  ])('is sent after its due time if the table %s could not be read then', async (table, failure) => {
    fake.behave((response, request) => {
      if (request.body.toString().endsWith('\n9')) answerWith(503)(response, request)
      else takeAll(response, request)
    })
    const { lines, log } = createLines()
    await put(20)
    create(1, log).start()
    await isWaiting(1)
    failStore(table)
    fake.behave(takeAll)
    // The lease is due for renewal, too.
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + limits.leaseMs)
    onTestFinished(() => void vi.restoreAllMocks())
    await expect.poll(() => lines.join('\n'), { timeout: 5_000 }).toMatch(failure)
    repairStore(table)
    await isWaiting(0)
    expect((await status()).deliveredCount).toBe(20)
  })
})

describe('an upstream that is removed', () => {
  it('is deleted without delay with envelopes in flight and a long queue', async () => {
    fake.behave(() => undefined)
    const forwarder = start()
    await put(1_201)
    await expect.poll(() => fake.requests.length).toBe(8)
    const startedAt = performance.now()
    expect(await deleteUpstream(store, upstream)).toBe(1_201)
    await forwarder.refresh()
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(findBrokenInvariants(store)).toEqual([])
    expect(store.connection.prepare('SELECT count(*) AS n FROM outbox_blocks').get()).toEqual({ n: 0 })
    expect(
      store.connection.prepare("SELECT quantity FROM outcome_hours WHERE reason = 'upstream_removed'").all(),
    ).toEqual([{ quantity: 1_201 }])
  })
})
