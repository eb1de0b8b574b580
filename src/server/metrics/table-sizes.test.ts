import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { makeEventRecord, openTestStore, testNow, workOf } from '../../../test/support/test-store.ts'
import { createTableMeasure } from './table-sizes.ts'

it('reports the space by group and by table, and measures no more often than needed', async () => {
  const store = await openTestStore()
  await createCommitter(store).commit(workOf(makeEventRecord({ payload: Buffer.alloc(50_000, 'x') })))
  let now = testNow
  const measure = createTableMeasure(store.path, () => now)
  const find = async () => {
    for (;;) {
      const sizes = await measure.find()
      if (sizes !== undefined) return sizes
    }
  }
  const first = await find()
  expect(first.measuredAt).toBe(testNow)
  const names = first.groups.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['Payloads of events', 'Sessions of releases']))
  const tables = first.groups.flatMap((group) => group.tables)
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['body_blocks', 'session_hours']))
  const total = first.groups.reduce((sum, { bytes }) => sum + bytes, 0)
  const pages = store.sqlite.prepare('PRAGMA page_count').get()?.['page_count']
  expect(total / 4096).toBeGreaterThan(Number(pages) * 0.9)
  now += limits.tableSizesMaxAgeMs - 1
  expect((await find()).measuredAt).toBe(testNow)
}, 20_000)

it('does not affect the page when the file cannot be measured', async () => {
  expect(await createTableMeasure('/nowhere/culvert.db', () => testNow).find()).toBeUndefined()
})
