import { beforeEach, describe, expect, it } from 'vitest'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { listUpstreams } from '#server/store/upstreams/upstreams.ts'
import { openTestStore, testNow, type TestStore } from '#test/test-store.ts'
import { applyEnvironmentUpstreams } from './environment-upstreams.ts'

const dsn = `https://${'a'.repeat(32)}@up.example/7`

let store: TestStore
beforeEach(async () => {
  store = await openTestStore()
  await createProject(store, { name: 'Old shop', id: 21 })
  await createProject(store, { name: 'New shop', id: 22 })
})

const apply = (named: Record<string, string>) =>
  applyEnvironmentUpstreams(store, new Map(Object.entries(named)), 'https://culvert.example')
const takers = async () =>
  (await listUpstreams(store.db)).filter(({ isRetired }) => !isRetired).map(({ projectId }) => projectId)

describe('an upstream in the environment', () => {
  it('is retired when its variable is removed, and active again when it is set again', async () => {
    await apply({ OLD_SHOP: dsn })
    expect(await takers()).toEqual([21])
    await apply({})
    expect(await takers()).toEqual([])
    await apply({ OLD_SHOP: dsn })
    expect(await takers()).toEqual([21])
  })

  it('is created by one of two processes that start at the same time', async () => {
    await Promise.all([apply({ OLD_SHOP: dsn }), apply({ OLD_SHOP: dsn })])
    expect(await takers()).toEqual([21])
    await apply({})
    await Promise.all([apply({ OLD_SHOP: dsn }), apply({ OLD_SHOP: dsn })])
    expect(await takers()).toEqual([21])
  })

  it('can be moved to another project', async () => {
    await apply({ OLD_SHOP: dsn })
    await apply({ NEW_SHOP: dsn })
    expect(await takers()).toEqual([22])
  })

  it('cannot be moved while it has queued envelopes, and the error names the variable', async () => {
    await apply({ OLD_SHOP: dsn })
    const [upstream] = await listUpstreams(store.db)
    const entry = {
      projectId: 21,
      upstreamId: upstream?.upstreamId ?? '',
      category: 'error',
      receivedAt: testNow,
    }
    const outbox = [{ ...entry, body: Buffer.from('{}\n') }]
    await createCommitter(store).commit({ events: [], outcomes: [], deadLetters: [], outbox })
    await expect(apply({ NEW_SHOP: dsn })).rejects.toThrow(
      /CULVERT_UPSTREAM_NEW_SHOP_DSN cannot be used: Another project forwards/,
    )
    await expect(apply({ NO_SHOP: dsn })).rejects.toThrow(/unknown project/)
  })
})
