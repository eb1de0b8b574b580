import { beforeEach, describe, expect, it } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { limits } from '#server/limits.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { entryOf, makeEventRecord, openTestStore, testId, testNow, type TestStore } from '#test/test-store.ts'
import { listUpstreamStatuses } from './status.ts'
import { createUpstream } from './upstreams.ts'

/** Three fill an outbox. */
const thirdBytes = Math.floor(limits.outboxBytes / 3)

let store: TestStore
let upstreamId: string
beforeEach(async () => {
  store = await openTestStore()
  upstreamId = await addUpstream('up.example')
})

async function addUpstream(host: string): Promise<string> {
  const dsn = parseDsn(`http://${'a'.repeat(32)}@${host}/7`)
  const created = dsn && (await createUpstream(store, { projectId: 1, dsn }))
  if (created?.outcome !== 'created') throw new Error('no upstream')
  return created.upstreamId
}

/** Puts an envelope into the queue and answers with its number. */
async function put(category: string): Promise<number> {
  const entry = { projectId: 1, upstreamId, category, receivedAt: testNow, body: Buffer.from('{}\n') }
  await createCommitter(store).commit({ events: [], outcomes: [], deadLetters: [], outbox: [entry] })
  return Number(store.connection.prepare('SELECT max(number) AS number FROM outbox').get()?.['number'])
}

/** Sets the counted size of each queued envelope. */
function swell(byteCount: number): void {
  store.connection.prepare('UPDATE outbox SET byte_count = ?').run(byteCount)
  const sums = store.connection
    .prepare(
      `SELECT coalesce(sum(byte_count) FILTER (WHERE failed_at IS NULL), 0) AS waiting,
         coalesce(sum(byte_count) FILTER (WHERE failed_at IS NOT NULL), 0) AS failed
       FROM outbox WHERE project_id = 1 AND upstream_id = ?`,
    )
    .get(upstreamId)
  store.connection
    .prepare('UPDATE upstreams SET waiting_bytes = ?, failed_bytes = ? WHERE project_id = 1 AND id = ?')
    .run(Number(sums?.['waiting']), Number(sums?.['failed']), upstreamId)
}

const numbers = () => store.connection.prepare('SELECT number FROM outbox ORDER BY number').all()
const losses = () =>
  store.connection
    .prepare("SELECT category, reason, quantity FROM outcome_hours WHERE outcome = 'undelivered'")
    .all()

describe('an outbox that is full', () => {
  it('discards the oldest envelope of its queue for a new one, and counts it', async () => {
    const [, second, third] = [await put('error'), await put('transaction'), await put('error')]
    swell(thirdBytes)
    const fourth = await put('error')
    expect(numbers()).toEqual([second, third, fourth].map((number) => ({ number })))
    expect(losses()).toEqual([{ category: 'error', reason: 'upstream_full', quantity: 1 }])
    const [status] = await listUpstreamStatuses(store.db, [1])
    expect(status).toMatchObject({ waitingCount: 3, waitingBytes: 2 * thirdBytes + 3, droppedCount: 1 })
  })

  it('discards as many envelopes as needed, including rejected ones', async () => {
    const [first] = [await put('error'), await put('error'), await put('error')]
    const rejected = { at: testNow, problem: '403' }
    const deliveryResults = [{ projectId: 1, upstreamId, number: first, rejected }]
    await createCommitter(store).commit({ events: [], outcomes: [], deadLetters: [], deliveryResults })
    swell(limits.outboxBytes)
    const last = await put('error')
    expect(numbers()).toEqual([{ number: last }])
    const [status] = await listUpstreamStatuses(store.db, [1])
    expect(status).toMatchObject({ waitingCount: 1, waitingBytes: 3, failedCount: 0, droppedCount: 3 })
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('does not affect the queue of another upstream', async () => {
    const other = await put('error')
    swell(limits.outboxBytes)
    upstreamId = await addUpstream('other.example')
    await put('error')
    expect(numbers()).toContainEqual({ number: other })
    expect(losses()).toEqual([])
  })
})

/** Commits an envelope with these events and its copy for the upstream. */
async function send(...eventIds: string[]): Promise<void> {
  const events = eventIds.map((id) => makeEventRecord({ eventId: testId(id) }))
  const copy = { projectId: 1, upstreamId, category: 'error', receivedAt: testNow, body: Buffer.from('{}\n') }
  await createCommitter(store).commit({ ...entryOf(...events), outbox: [copy] })
}

describe('an envelope that an SDK sends twice', () => {
  it('is queued once, and again if it has another event', async () => {
    await send('first')
    await send('first')
    expect(numbers()).toHaveLength(1)
    await send('first', 'second')
    expect(numbers()).toHaveLength(2)
  })
})
