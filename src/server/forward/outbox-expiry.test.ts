import { beforeEach, describe, expect, it } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { limits } from '#server/limits.ts'
import { createLog } from '#server/log.ts'
import { recordClockState } from '#server/retention/clock-state.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { listUpstreamStatuses } from '#server/store/upstreams/status.ts'
import { createUpstream, listUpstreams } from '#server/store/upstreams/upstreams.ts'
import { openTestStore, testNow, type TestStore } from '#test/test-store.ts'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { createOutboxExpiry, type OutboxExpiry } from './outbox-expiry.ts'

const dsn = parseDsn(`http://${'a'.repeat(32)}@up.example/7`)

let store: TestStore
/** Offset of the wall clock. */
let offsetMs: number
/** Time that has passed on the monotonic clock. */
let passedMs: number
beforeEach(async () => {
  offsetMs = 0
  passedMs = 0
  store = await openTestStore({ clock: () => testNow + passedMs + offsetMs })
  await recordClockState(store, { trustedAt: testNow, doubtedMs: 0 })
  if (dsn !== undefined) await createUpstream(store, { projectId: 1, dsn })
})

async function put(receivedAt: number): Promise<void> {
  const [upstream] = await listUpstreams(store.db)
  const entry = { projectId: 1, upstreamId: upstream?.upstreamId ?? '', category: 'error', receivedAt }
  const outbox = [{ ...entry, body: Buffer.from('{}\n') }]
  await createCommitter(store).commit({ events: [], outcomes: [], deadLetters: [], outbox })
}

/** Checks every hour for some time, like a running server. */
async function checkFor(totalMs: number, expiry: OutboxExpiry): Promise<void> {
  for (const endMs = passedMs + totalMs; passedMs <= endMs; passedMs += hourMs)
    await expiry.check(await listUpstreams(store.db))
}

function start(): OutboxExpiry {
  return createOutboxExpiry(store, createLog('silent'), () => ({
    wallMs: store.clock(),
    monotonicMs: passedMs,
  }))
}

const figures = async () => {
  const [status] = await listUpstreamStatuses(store.db, [1])
  return status && { waiting: status.waitingCount, dropped: status.droppedCount }
}

describe('a queued envelope', () => {
  it('expires after 14 days, newer ones do not', async () => {
    await put(testNow)
    await put(testNow + 2 * dayMs)
    const expiry = start()
    await checkFor(14 * dayMs, expiry)
    expect(await figures()).toEqual({ waiting: 2, dropped: 0 })
    await checkFor(0, expiry)
    expect(await figures()).toEqual({ waiting: 1, dropped: 1 })
  })

  it('expires in one run with any number of others', async () => {
    const [upstream] = await listUpstreams(store.db)
    const entry = {
      projectId: 1,
      upstreamId: upstream?.upstreamId ?? '',
      category: 'error',
      receivedAt: testNow,
    }
    const outbox = Array.from({ length: 2 * limits.forwardExpirySlice + 1 }, (_, at) =>
      Object.assign({ body: Buffer.from(`${at}`) }, entry),
    )
    await createCommitter(store).commit({ events: [], outcomes: [], deadLetters: [], outbox })
    passedMs = 14 * dayMs
    await recordClockState(store, { trustedAt: store.clock(), doubtedMs: 0 })
    passedMs += hourMs
    await checkFor(0, start())
    expect(await figures()).toEqual({ waiting: 0, dropped: outbox.length })
  })

  it('has a day for its delivery after the server was off for a longer time', async () => {
    await put(testNow)
    passedMs = 20 * dayMs
    const expiry = start()
    await checkFor(23 * hourMs, expiry)
    expect(await figures()).toEqual({ waiting: 1, dropped: 0 })
    await checkFor(hourMs, expiry)
    expect(await figures()).toEqual({ waiting: 0, dropped: 1 })
  })

  it.each([10, 30, 4_000])(
    'does not expire while the clock is %i days ahead for some hours, nor afterwards',
    async (days) => {
      await put(testNow - 5 * dayMs)
      const expiry = start()
      await checkFor(hourMs, expiry)
      offsetMs = days * dayMs
      await checkFor(20 * hourMs, expiry)
      await put(store.clock())
      offsetMs = 0
      await checkFor(2 * dayMs, expiry)
      expect(await figures()).toEqual({ waiting: 2, dropped: 0 })
    },
  )
})
