import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { makeEventRecord, openTestStore, testId, entryOf } from '#test/test-store.ts'
import { countCommits } from './counted-committer.ts'
import { createMetrics } from './registry.ts'

async function openCounted() {
  const store = await openTestStore()
  const metrics = createMetrics()
  const committer = countCommits(createCommitter(store), metrics)
  onTestFinished(() => committer.close())
  return { store, metrics, committer }
}

const eventOf = (name: string) => makeEventRecord({ eventId: testId(name) })

it('counts events by outcome, and measures the duration', async () => {
  const { committer, metrics } = await openCounted()
  await committer.commit(entryOf(eventOf('a')))
  await committer.commit(entryOf(eventOf('a')))
  const text = metrics.render()
  expect(text).toContain('culvert_items_total{category="error",outcome="accepted",reason=""} 1')
  expect(text).toContain('culvert_items_total{category="error",outcome="invalid",reason="duplicate"} 1')
  expect(text).toContain('culvert_commit_seconds_count 2')
})

it('commits a deferred entry with the next transaction', async () => {
  const { committer, metrics, store } = await openCounted()
  const begun: string[] = []
  const begin = store.writeGate.begin.bind(store.writeGate)
  store.writeGate.begin = (canWait) => {
    begun.push('transaction')
    return begin(canWait)
  }
  // On a busy machine the time of the deferral would pass.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const unhurried = committer.commit(entryOf(), 'deferred')
  for (let turn = 0; turn < 3; turn += 1) await nextTick()
  await Promise.all([unhurried, committer.commit(entryOf(eventOf('a')))])
  expect(begun).toHaveLength(1)
  expect(metrics.render()).toContain('culvert_commit_seconds_count 1')
})
