import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '#server/store/store.ts'
import { createPlayer } from '#test/differential/player.ts'
import { timedSteps, type TimedStep } from '#test/differential/steps.ts'
import { listTables, readTables } from '#test/differential/tables.ts'
import { writeEmptyStore } from '#test/empty-store.ts'
import { onPostgres } from '#test/engine.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { makeTestFolder, openTestStore } from '#test/test-store.ts'

/** Runs of random steps; more with CULVERT_TEST_DIFFERENCES, a number. */
const runCount = Number(process.env['CULVERT_TEST_DIFFERENCES'] ?? 5)

async function openSqlite(clock: () => number): Promise<Store> {
  const path = join(await makeTestFolder(), 'culvert.db')
  await writeEmptyStore(path)
  return openTestStore({ clock, path })
}

const openPostgres = (clock: () => number): Promise<Store> => openTestStore({ clock })

/** The payload of a user report has the id of the event that it is about. */
function findBroken(store: Store): string[] {
  return findBrokenInvariants(store).filter((sentence) => !sentence.endsWith("shows another one's payload"))
}

/** Plays the same steps on both engines, and compares what each step returns and what the tables contain. */
async function expectEqual(steps: readonly TimedStep[]): Promise<void> {
  const sqlite = await createPlayer(openSqlite)
  const postgres = await createPlayer(openPostgres)
  try {
    for (const step of steps) expect(await postgres.play(step)).toEqual(await sqlite.play(step))
    await sqlite.finish()
    await postgres.finish()
    const tables = listTables(sqlite.store)
    expect(readTables(postgres.store, tables)).toEqual(readTables(sqlite.store, tables))
    expect(findBroken(sqlite.store)).toEqual([])
    expect(findBroken(postgres.store)).toEqual([])
  } finally {
    await sqlite.store.close()
    await postgres.store.close()
  }
}

/** For all runs; after a failure, also for finding fewer steps that fail. */
const limitMs = 30_000 + runCount * 3_000

describe.skipIf(!onPostgres)('SQLite and PostgreSQL', () => {
  it(
    'have the same results after the same random operations',
    async () => {
      await fc.assert(fc.asyncProperty(timedSteps(40), expectEqual), {
        numRuns: runCount,
        endOnFailure: false,
        plugins: [fc.interruptAfterTimeLimit(limitMs)],
      })
    },
    2 * limitMs,
  )
})
