import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import { createNodeSqliteDialect } from './kysely-dialect.ts'
import { createPacedLock, ReadTimeoutError } from './paced-lock.ts'

/** Blocks the event loop, like a machine that does not run the process. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

it('reads again after a read that waited too long was rejected', async () => {
  const sqlite = new DatabaseSync(':memory:')
  onTestFinished(() => sqlite.close())
  let blocksMs: number = limits.readTickMs
  const db = new Kysely({
    dialect: createNodeSqliteDialect({ sqlite, lock: createPacedLock(), onStatement: () => block(blocksMs) }),
  })
  const read = () => sql`SELECT 1 AS one`.execute(db)
  // The first uses up the tick, and the second waits for the next one.
  const first = read()
  const second = read().catch((error: unknown) => error)
  await first
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  block(limits.readWaitMs + 100)
  expect(await second).toBeInstanceOf(ReadTimeoutError)
  blocksMs = 0
  expect((await read()).rows).toEqual([{ one: 1 }])
})
