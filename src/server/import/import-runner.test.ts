import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { Store } from '#server/store/store.ts'
import { createErrorLog } from '#test/error-log.ts'
import { serveLocally } from '#test/listen-locally.ts'
import { openTestStore } from '#test/test-store.ts'
import { ImportRunner } from './import-runner.ts'

/** The imports of a process. */
function startRunner(store: Store): ImportRunner {
  const runner = new ImportRunner({
    store,
    committer: createCommitter(store),
    log: createErrorLog().log,
    env: {
      secret: 'a secret of at least 32 characters',
      privateDestinations: { networks: ['127.0.0.1/32'], hosts: [] },
    },
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

/** A tracker whose first request waits for the test's answer. */
async function startTracker() {
  const server = createServer()
  const { origin: url, close } = await serveLocally(server)
  onTestFinished(close)
  return {
    job: {
      source: { tracker: 'sentry', url, organization: '', eventCount: 1 },
      token: 'token',
      addsOwners: false,
    } as const,
    request: () =>
      new Promise<ServerResponse>((resolve) => {
        server.once('request', (_request, response) => resolve(response))
      }),
  }
}

it('stops an import that is discarded, even during a request, and begins another one', async () => {
  const store = await openTestStore()
  const runner = startRunner(store)
  const { job, request } = await startTracker()
  for (let time = 1; time <= 2; time += 1) {
    const requested = request()
    expect(await runner.begin(job)).toBe(true)
    await requested
    await runner.discard()
    expect(await runner.find()).toBeUndefined()
  }
  await runner.stop()
  expect(await runner.find()).toBeUndefined()
})

it('does not store an import again that another process has discarded', async () => {
  const store = await openTestStore({ clock: Date.now })
  const [runner, other] = [startRunner(store), startRunner(await store.openAgain())]
  const { job, request } = await startTracker()
  const requested = request()
  expect(await runner.begin(job)).toBe(true)
  const response = await requested
  await other.discard()
  expect(await other.begin(job)).toBe(true)
  const found = await other.find()
  await once(response.writeHead(401).end(), 'close')
  await runner.stop()
  expect(await other.find()).toEqual(found)
})
