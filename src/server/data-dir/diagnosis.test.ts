import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { createUpstream } from '#server/store/upstreams/upstreams.ts'
import { textLike } from '#test/matchers.ts'
import { makeTestFolder, openTestStore, testNow } from '#test/test-store.ts'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { diagnose } from './diagnosis.ts'

it('reports the queue of each upstream, rejected envelopes, long waits and wrong counters', async () => {
  const dataDir = await makeTestFolder()
  const store = await openTestStore({ path: join(dataDir, 'culvert.db') })
  const dsn = parseDsn(`http://${'a'.repeat(32)}@up.example/7`)
  const created = dsn && (await createUpstream(store, { projectId: 1, dsn }))
  if (created?.outcome !== 'created') throw new Error('no upstream')
  const upstream = { projectId: 1, upstreamId: created.upstreamId }
  const entry = { ...upstream, category: 'error', receivedAt: testNow, body: Buffer.from('{}\n') }
  const rejected = { ...upstream, number: 2, rejected: { at: testNow, problem: '403' } }
  const work = { events: [], outcomes: [], deadLetters: [] }
  const committer = createCommitter(store)
  await committer.commit({ ...work, outbox: [entry, entry, entry] })
  await committer.commit({ ...work, deliveryResults: [{ ...upstream, number: 1 }, rejected] })

  const { upstreams, problems } = await diagnose(dataDir, testNow + hourMs)
  expect(upstreams).toMatchObject([
    { deliveredCount: 1, waitingCount: 1, waitingBytes: 3, failedCount: 1, oldestWaitingAt: testNow },
  ])
  expect(problems).toEqual([textLike(/up\.example\/7 rejected 1 envelope of/)])

  store.connection.exec('UPDATE upstreams SET delivered_count = 5, waiting_bytes = 4')
  const { problems: later } = await diagnose(dataDir, testNow + 2 * dayMs)
  expect(later.join('\n')).toMatch(
    /counts 4 waiting bytes, there are 3\n.*counts 7 envelopes .* there are 3\n.*have been queued since 2026-11-21T12:30[^]*rejected 1/,
  )
})
