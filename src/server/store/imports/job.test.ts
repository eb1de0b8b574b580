import { expect, it } from 'vitest'
import { openTestStore, testNow } from '#test/test-store.ts'
import { claimImportJob, findImportJob } from './job.ts'

it('is claimed by one of several processes that have seen the same state', async () => {
  const store = await openTestStore()
  const stores = [store, await store.openAgain(), await store.openAgain()]
  const claim = async (seenAt: number | undefined) => {
    const claims = stores.map((by, at) => claimImportJob(by, { document: String(at), seenAt }))
    return (await Promise.all(claims)).flatMap((isClaimed, at) => (isClaimed ? [String(at)] : []))
  }
  for (const expectedAt of [testNow, testNow + 1, testNow + 2]) {
    const seen = await findImportJob(store.db)
    const winners = await claim(seen?.updatedAt)
    expect(winners).toHaveLength(1)
    expect(await findImportJob(store.db)).toEqual({ document: winners[0], updatedAt: expectedAt })
  }
})
