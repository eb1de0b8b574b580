import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createStoreCondition } from '#server/store/condition.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { createCheckpoints, type LogSizes } from './checkpoints.ts'
import { openWriter } from './connection.ts'

const kibibyte = 1024

/** A database without automatic checkpoints, and a log with the given sizes in KiB. */
async function openLog({ start, rest, limit }: LogSizes, differentPath?: string) {
  const path = join(await makeTestFolder(), 'test.db')
  const sqlite = await openWriter(path)
  sqlite.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE rows (data BLOB)')
  const condition = createStoreCondition({ path })
  const checkpoints = createCheckpoints(sqlite, {
    path: differentPath ?? path,
    condition,
    sizes: { start: start * kibibyte, rest: rest * kibibyte, limit: limit * kibibyte },
  })
  onTestFinished(async () => {
    await checkpoints.close()
    sqlite.close()
  })
  return {
    checkpoints,
    condition,
    /** A transaction of about 12 KiB. */
    async write() {
      await checkpoints.beforeTransaction()
      sqlite.exec('INSERT INTO rows VALUES (randomblob(10240))')
    },
    readRowCount: () => sqlite.prepare('SELECT count(*) AS n FROM rows').get()?.['n'],
    fileKib: () => statSync(`${path}-wal`).size / kibibyte,
  }
}

it('copies a short rest of the log between two transactions, and the log starts over', async () => {
  const log = await openLog({ start: 512, rest: 1_000, limit: 1_000 })
  for (let count = 0; count < 500; count += 1) await log.write()
  expect(log.readRowCount()).toBe(500)
  // Without checkpoints the log has 6,000 KiB.
  expect(log.fileKib()).toBeLessThan(600)
})

it('copies a longer one in a thread, for which transactions wait once the log has reached its limit', async () => {
  const log = await openLog({ start: 256, rest: 0, limit: 512 })
  for (let count = 0; count < 500; count += 1) await log.write()
  expect(log.readRowCount()).toBe(500)
  expect(log.fileKib()).toBeLessThan(600)
})

it('does not checkpoint a short log', async () => {
  const log = await openLog({ start: 1_000_000, rest: 1_000_000, limit: 1_000_000 })
  for (let count = 0; count < 100; count += 1) await log.write()
  expect(log.fileKib()).toBeGreaterThan(1_200)
})

it('notes a checkpoint that failed in the condition of the store', async () => {
  const log = await openLog({ start: 0, rest: -1, limit: 0 }, await makeTestFolder())
  await log.checkpoints.beforeTransaction()
  expect(log.condition.findProblem()).toBe('CANTOPEN')
})
