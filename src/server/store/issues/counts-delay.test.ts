import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { makeEventRecord, openTestStore, testId, testNow, entryOf } from '#test/test-store.ts'
import { findCountsDelay, readCountsDelay } from './counts-delay.ts'

const floodOf = (projectId: number, name: string) =>
  entryOf(
    ...Array.from({ length: limits.countersAtOncePerSecond + 1 }, (_, index) =>
      makeEventRecord({ projectId, eventId: testId(`${name}${index}`) }),
    ),
  )

/** Timers are frozen, so that no fold runs before the committer is drained. */
async function openWaiting() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let now = testNow
  const store = await openTestStore({ clock: () => now })
  const committer = createCommitter(store)
  await committer.commit(floodOf(1, 'first'))
  now += 5_000
  await committer.commit(floodOf(2, 'second'))
  return { store, committer }
}

describe('the delay of counts', () => {
  it('is absent until it is late, and is that of the oldest event of the projects from then on', async () => {
    const { store } = await openWaiting()
    const delayAfter = (ms: number, projectIds = [1, 2]) =>
      findCountsDelay(store.db, { projectIds, now: testNow + ms })
    await expect(delayAfter(limits.countsLateMs)).resolves.toBeUndefined()
    await expect(delayAfter(limits.countsLateMs + 1)).resolves.toBe(limits.countsLateMs + 1)
    await expect(delayAfter(60_000)).resolves.toBe(60_000)
    await expect(delayAfter(60_000, [2])).resolves.toBe(55_000)
    await expect(delayAfter(60_000, [3])).resolves.toBeUndefined()
    await expect(delayAfter(60_000, [])).resolves.toBeUndefined()
  })

  it('is measured before it is late, and is 0 once all is counted', async () => {
    const { store, committer } = await openWaiting()
    expect(readCountsDelay(store.connection, testNow + 700)).toBe(700)
    await committer.drain()
    expect(readCountsDelay(store.connection, testNow + 60_000)).toBe(0)
    const late = { projectIds: [1, 2], now: testNow + 60_000 }
    await expect(findCountsDelay(store.db, late)).resolves.toBeUndefined()
  })

  it('is not negative where the clock was set back', async () => {
    const { store } = await openWaiting()
    expect(readCountsDelay(store.connection, testNow - 60_000)).toBe(0)
  })
})
