import { expect, it, onTestFinished } from 'vitest'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { Store } from '#server/store/store.ts'
import { createErrorLog } from '#test/error-log.ts'
import { openTestStore } from '#test/test-store.ts'
import { ImportRunner } from './import-runner.ts'

/** The imports of a process. */
function startRunner(store: Store): ImportRunner {
  const runner = new ImportRunner({
    store,
    committer: createCommitter(store),
    log: createErrorLog().log,
    env: { secret: 'a secret of at least 32 characters', privateDestinations: { networks: [], hosts: [] } },
    origin: () => 'https://culvert.example.com',
    noteImport: () => Promise.resolve(),
  })
  onTestFinished(() => runner.stop())
  return runner
}

it('begins one of two imports that are begun at the same time in two processes', async () => {
  const store = await openTestStore()
  const runners = [startRunner(store), startRunner(await store.openAgain())]
  const source = { tracker: 'sentry', url: '', organization: '', eventCount: 1 } as const
  const begun = await Promise.all(runners.map((runner) => runner.begin({ source, addsOwners: false })))
  expect(begun.filter(Boolean)).toHaveLength(1)
  // There is no plan to read.
  await expect.poll(async () => (await runners[0]?.find())?.job.state).toBe('failed')
  const continued = await Promise.all(runners.map((runner) => runner.apply()))
  expect(continued.filter(Boolean)).toHaveLength(1)
})
