import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { makeEventRecord, openTestStore, testNow } from '#test/test-store.ts'
import { createTableMeasure } from './table-sizes.ts'

it('reports the space by group and by table, and measures no more often than needed', async () => {
  const store = await openTestStore()
  await store.commit(makeEventRecord({ payload: Buffer.alloc(50_000, 'x') }))
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
  expect(names).toEqual(expect.arrayContaining(['Event payloads', 'Release sessions']))
  expect(names.at(-1)).toBe('Everything else')
  const tables = first.groups.flatMap((group) => group.tables)
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['body_blocks', 'session_hours']))
  const total = first.groups.reduce((sum, { bytes }) => sum + bytes, 0)
  expect(total).toBeGreaterThan(store.engine.readUsedBytes() * 0.9)
  now += limits.tableSizesMaxAgeMs - 1
  expect((await find()).measuredAt).toBe(testNow)
}, 20_000)

it('does not affect the page when the database cannot be measured', async () => {
  for (const path of ['/nowhere/culvert.db', 'postgres://culvert@localhost/none?host=/nowhere'])
    expect(await createTableMeasure(path, () => testNow).find()).toBeUndefined()
})
