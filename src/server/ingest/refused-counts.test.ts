import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createCommitter } from '#server/store/committer.ts'
import { openTestStore } from '../../../test/support/test-store.ts'
import { createRefusedCounts } from './refused-counts.ts'

it('is written once a flush resolves, also when an earlier flush is still writing', async () => {
  const store = await openTestStore()
  const counts = createRefusedCounts({ committer: createCommitter(store), log: pino({ level: 'silent' }) })
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
  expect(store.sqlite.prepare('SELECT sum(quantity) AS quantity FROM outcome_hours').get()).toEqual({
    quantity: 3,
  })
  await earlier
  await store.close()
})
