import { Agent, request } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'
import { storedEventIds } from '#test/stored-events.ts'

const { id, publicKey } = fixtureProject
const path = `/api/${id}/envelope/?sentry_key=${publicKey}`

const burstSize = 800
const agent = new Agent({ keepAlive: true, maxFreeSockets: burstSize })
const server = await startServer()
afterAll(async () => {
  agent.destroy()
  await server.stop()
})

interface Answer {
  eventId: string
  status: number | undefined
  retryAfter: string | undefined
  rateLimits: string | string[] | undefined
}

/** Items of further types, which are sent with an error. */
function send(...others: [type: string, payload: unknown][]): Promise<Answer> {
  const eventId = randomEventId()
  return new Promise((resolve, reject) => {
    request(`${server.origin}${path}`, { method: 'POST', agent }, (response) => {
      const { statusCode: status, headers } = response
      const answer = {
        eventId,
        status,
        retryAfter: headers['retry-after'],
        rateLimits: headers['x-sentry-rate-limits'],
      }
      response.on('end', () => resolve(answer)).resume()
    })
      .on('error', reject)
      .end(
        [
          errorEnvelope({ eventId }),
          ...others.flatMap(([type, payload]) => [JSON.stringify({ type }), JSON.stringify(payload)]),
        ].join('\n'),
      )
  })
}

function sendMany(count: number): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, () => send()))
}

/** Sends one after another, so that each has its own tick, for as long as nothing can be committed. */
async function overload(): Promise<Promise<Answer>[]> {
  const waiting: Promise<Answer>[] = []
  await expect
    .poll(
      () => {
        waiting.push(send())
        return server.services.admission.isOverloaded
      },
      { timeout: 10_000, interval: 50 },
    )
    .toBe(true)
  return waiting
}

/** Sends until the overload has ended. */
async function calmDown(): Promise<void> {
  await expect
    .poll(
      async () => {
        await send()
        return server.services.admission.isOverloaded
      },
      { timeout: 10_000, interval: 100 },
    )
    .toBe(false)
}

/** Requests that were rejected whole, in the category of those with any items, or of those with spans. */
function countRejected(category = 'unknown'): number {
  const row = server.services.store.connection
    .prepare(
      `SELECT sum(quantity) AS n FROM outcome_hours
       WHERE project_id = ? AND reason = 'overload' AND category = ?`,
    )
    .get(id, category)
  return Number(row?.['n'] ?? 0)
}

function countTransactions(outcome: string): number {
  const row = server.services.store.connection
    .prepare(
      `SELECT sum(quantity) AS n FROM outcome_hours
       WHERE project_id = ? AND category = 'transaction' AND outcome = ?`,
    )
    .get(id, outcome)
  return Number(row?.['n'] ?? 0)
}

/** An error with the transaction in which it happened. */
function sendWithTransaction(): Promise<Answer> {
  const at = Date.now() / 1000
  const trace = { trace_id: randomEventId(), span_id: randomEventId().slice(16) }
  const times = { start_timestamp: at - 1, timestamp: at }
  return send(['transaction', { type: 'transaction', transaction: '/', ...times, contexts: { trace } }])
}

describe('more requests than the server can process', () => {
  it('are rejected in part: accepted items are stored, rejected ones get Retry-After and are counted', async () => {
    const { writeLock } = server.services.store
    // Over open connections, a burst arrives in one tick.
    const first = await sendMany(burstSize)
    await writeLock.acquire()
    const early = await overload()
    const burst = sendMany(burstSize)
    const health = await fetch(`${server.origin}/healthz`)
    expect(health.status).toBe(200)
    writeLock.release()
    const answers = [...first, ...(await Promise.all(early)), ...(await burst)]

    const taken = answers.filter(({ status }) => status === 200)
    const rejected = answers.filter(({ status }) => status === 429)
    expect(rejected.length).toBeGreaterThan(0)
    expect(taken.length + rejected.length).toBe(answers.length)
    for (const { retryAfter, rateLimits } of rejected) {
      expect(retryAfter).toMatch(/^([5-9]|1[0-4])$/)
      expect(rateLimits).toBe(`${retryAfter}::organization:overload`)
    }
    expect(await storedEventIds(server.services.store, id)).toEqual(
      taken.map(({ eventId }) => eventId).toSorted(),
    )
    await expect.poll(() => countRejected()).toBe(rejected.length)
  })

  it('are all accepted again shortly afterwards', async () => {
    await calmDown()
    const statuses = new Set<number | undefined>()
    // So few at once that they do not overload the server on a busy machine.
    for (let sent = 0; sent < burstSize; sent += 25)
      for (const { status } of await sendMany(25)) statuses.add(status)
    expect(statuses).toEqual(new Set([200]))
  })

  it('lose their traces before their errors, which SDKs and outcomes report', async () => {
    const { store } = server.services
    await calmDown()
    await store.writeLock.acquire()
    const early = await overload()
    const sent: Promise<Answer>[] = []
    for (let count = 0; count < 20; count += 1) {
      sent.push(sendWithTransaction())
      // Then the server has read the request.
      await fetch(`${server.origin}/healthz`)
    }
    store.writeLock.release()
    const [answers] = await Promise.all([Promise.all(sent), Promise.all(early)])
    const accepted = answers.filter(({ status }) => status === 200)
    const shed = accepted.filter(({ rateLimits }) =>
      String(rateLimits).includes(`${limits.traceShedSeconds}:transaction:organization:overload`),
    )
    expect(shed.length).toBeGreaterThan(0)
    const ids = new Set(await storedEventIds(store, id))
    expect(accepted.filter(({ eventId }) => !ids.has(eventId))).toEqual([])
    expect(countTransactions('rate_limited')).toBe(shed.length)
    expect(countTransactions('accepted')).toBe(accepted.length - shed.length)
  })

  it('that are all traces, are stored in part although their senders ignore the delay', async () => {
    const { admission, rejectedCounts, store } = server.services
    await calmDown()
    await rejectedCounts.flush()
    const rejectedBefore = countRejected('span')
    await store.writeLock.acquire()
    const early: Promise<number>[] = []
    await expect
      .poll(() => early.push(sendExport()) && admission.isOverloaded, { timeout: 10_000, interval: 50 })
      .toBe(true)
    store.writeLock.release()
    const counts = new Map<number, number>()
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let sent = 0; sent < 10; sent += 1) {
          const status = await sendExport()
          counts.set(status, (counts.get(status) ?? 0) + 1)
        }
      }),
    )
    expect(new Set(counts.keys()).isSubsetOf(new Set([200, 429]))).toBe(true)
    expect(counts.get(200)).toBeGreaterThan(20)
    const statuses = [
      ...(await Promise.all(early)),
      ...Array.from({ length: counts.get(429) ?? 0 }, () => 429),
    ]
    await rejectedCounts.flush()
    const rejectedCount = statuses.filter((status) => status === 429).length
    expect(countRejected('span') - rejectedBefore).toBe(rejectedCount)
  })
})

/** An OTLP request; returns the status of its answer. */
async function sendExport(): Promise<number> {
  const nanos = `${BigInt(Date.now()) * 1_000_000n}`
  const times = { startTimeUnixNano: nanos, endTimeUnixNano: nanos }
  const spans = Array.from({ length: 100 }, () => {
    const [traceId, spanId] = [randomEventId(), randomEventId().slice(16)]
    return { traceId, spanId, name: 'span', ...times }
  })
  const { status } = await fetch(
    `${server.origin}/api/${id}/integration/otlp/v1/traces?sentry_key=${publicKey}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    },
  )
  return status
}
