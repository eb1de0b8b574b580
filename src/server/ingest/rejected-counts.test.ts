import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { openTestStore } from '#test/test-store.ts'
import { createRejectedCounts } from './rejected-counts.ts'

it('is written once a flush resolves, even when an earlier flush is still writing', async () => {
  const store = await openTestStore()
  const counts = createRejectedCounts({ committer: createCommitter(store), log: pino({ level: 'silent' }) })
  counts.add({
    projectId: 1,
    category: 'error',
    outcome: 'rate_limited',
    reason: 'key_limit',
    quantity: 3,
    at: store.clock(),
  })
  const earlier = counts.flush()
  await counts.flush()
  expect(store.connection.prepare('SELECT sum(quantity) AS quantity FROM outcome_hours').get()).toEqual({
    quantity: 3,
  })
  await earlier
  await store.close()
})

const rejectionOf = (projectId: number, at: number) => ({
  projectId,
  category: 'unknown',
  outcome: 'invalid' as const,
  reason: 'project_id',
  quantity: 1,
  at,
})
const sampleOf = (projectId: number, receivedAt: number) => () => ({
  projectId,
  reason: 'project_id',
  category: 'unknown',
  receivedAt,
  title: '403: unknown key',
  environment: '',
  payload: Buffer.from('{}'),
})

describe('a flood of rejected requests', () => {
  it('is one transaction with few samples, and one sample of a kind a minute', async () => {
    const store = await openTestStore()
    const committer = createCommitter(store)
    let commitCount = 0
    const counts = createRejectedCounts({
      log: pino({ level: 'silent' }),
      committer: {
        ...committer,
        commit(...work) {
          commitCount += 1
          return committer.commit(...work)
        },
      },
    })
    const flood = (at: number) => {
      for (let count = 0; count < 20_000; count += 1) {
        const projectId = (count % 200) + 1
        counts.reject(rejectionOf(projectId, at), '403: unknown key', sampleOf(projectId, at))
      }
      return counts.flush()
    }
    const readCount = (table: string) => store.connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()
    await flood(store.clock())
    expect(commitCount).toBe(1)
    expect(readCount('outcome_hours')).toEqual({ n: 200 })
    expect(readCount('filter_samples')).toEqual({ n: limits.rejectionSamplesAtOnce })
    for (let more = 1; more <= 8; more += 1) await flood(store.clock() + more)
    expect(readCount('filter_samples')).toEqual({ n: 200 })
    await flood(store.clock() + limits.rejectionSampleMs + 10)
    expect(readCount('filter_samples')).toEqual({ n: 200 + limits.rejectionSamplesAtOnce })
    expect(store.connection.prepare('SELECT sum(quantity) AS n FROM outcome_hours').get()).toEqual({
      n: 200_000,
    })
    await store.close()
  })
})
