import { expect, it } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { createUpstream } from '#server/store/upstreams/upstreams.ts'
import { openTestStore, testNow, testViewer } from '#test/test-store.ts'
import { hourMs } from '#time/time-steps.ts'
import { getTunnelView } from './tunnel.ts'

it('shows how long an upstream is still waited for, even if the clock was set back since its answer', async () => {
  const store = await openTestStore()
  const dsn = parseDsn(`https://${'a'.repeat(32)}@up.example/7`)
  const created = dsn && (await createUpstream(store, { projectId: 1, dsn }))
  if (created?.outcome !== 'created') throw new Error('no upstream')
  const state = JSON.stringify({
    answeredAt: testNow,
    failureCount: 1,
    retryAt: testNow + 5_000,
    held: [
      { category: 'error', until: testNow + 60_000 },
      { category: 'session', until: testNow },
    ],
  })
  const upstreamStates = [{ projectId: 1, upstreamId: created.upstreamId, state }]
  await createCommitter(store).commit({ events: [], outcomes: [], deadLetters: [], upstreamStates })
  const env = { tunnelPath: '/monitoring' }
  for (const now of [testNow, testNow - 10 * hourMs]) {
    const { upstreams } = await getTunnelView({ store, clock: () => now, env }, testViewer)
    expect(upstreams).toMatchObject([
      { retryAt: now + 5_000, held: [{ category: 'error', until: now + 60_000 }] },
    ])
  }
})

it('offers upstreams to users who can configure a project', async () => {
  const store = await openTestStore()
  const services = { store, clock: () => testNow, env: { tunnelPath: '/monitoring' } }
  const memberships = testViewer.memberships.map((each) => ({ ...each, role: 'member' as const }))
  expect(await getTunnelView(services, testViewer)).toMatchObject({ canConfigure: true })
  expect(await getTunnelView(services, { ...testViewer, memberships })).toMatchObject({ canConfigure: false })
})
