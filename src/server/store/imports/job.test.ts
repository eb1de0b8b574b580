import { expect, it } from 'vitest'
import { openTestStore, testNow } from '#test/test-store.ts'
import { deleteImportJob, findImportJob, recordImportJob } from './job.ts'

it('is begun by one of several processes that have seen the same state', async () => {
  const store = await openTestStore()
  const stores = [store, await store.openAgain(), await store.openAgain()]
  const begin = async (seenAt: number | undefined) => {
    const changes = stores.map((by, at) => recordImportJob(by, { document: String(at), seenAt }))
    return (await Promise.all(changes)).flatMap((at, index) => (at === undefined ? [] : { at, index }))
  }
  for (const expectedAt of [testNow, testNow + 1, testNow + 2]) {
    const seen = await findImportJob(store.db)
    const winners = await begin(seen?.updatedAt)
    expect(winners).toHaveLength(1)
    expect(winners[0]?.at).toBe(expectedAt)
    const document = String(winners[0]?.index)
    expect(await findImportJob(store.db)).toEqual({ document, updatedAt: expectedAt })
  }
  await deleteImportJob(store)
  expect(await begin(testNow + 2)).toEqual([])
})
