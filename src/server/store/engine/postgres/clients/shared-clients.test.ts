import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '#server/store/schema/database.ts'
import { onPostgres } from '../../../../../../test/support/engine.ts'
import { openTestStore } from '../../../../../../test/support/test-store.ts'

/** The process of the server that runs a read, which takes this long. */
async function findProcess(db: Kysely<Database>, sleepSeconds = 0): Promise<number> {
  const { rows } = await sql<{
    pid: number
  }>`SELECT pg_backend_pid() AS pid, pg_sleep(${sleepSeconds})`.execute(db)
  return rows[0]?.pid ?? 0
}

const findProcesses = (db: Kysely<Database>, sleepSeconds?: number) =>
  Promise.all(Array.from({ length: 5 }, () => findProcess(db, sleepSeconds)))

/** Ends the connections of the database, as a restart of its server does. */
async function endConnections(path: string, pids: readonly number[]): Promise<void> {
  const client = new Client({ connectionString: path })
  await client.connect()
  onTestFinished(() => client.end())
  for (const pid of pids) await client.query('SELECT pg_terminate_backend($1)', [pid])
}

describe.skipIf(!onPostgres)('a connection for reads', () => {
  it('runs the reads that are requested in the same turn of the event loop', async () => {
    const { db } = await openTestStore()
    expect(new Set(await findProcesses(db))).toHaveLength(1)
  })

  it('does not delay the reads of later turns', async () => {
    const { db } = await openTestStore()
    const slow = findProcess(db, 0.5)
    await nextTurn()
    const quick = findProcess(db)
    await expect(Promise.race([quick, slow])).resolves.toBe(await quick)
    expect(await quick).not.toBe(await slow)
  })

  it('is not shared with a transaction', async () => {
    const { db } = await openTestStore()
    const [inTransaction, outside] = await Promise.all([
      db.transaction().execute((one) => findProcess(one)),
      findProcess(db),
    ])
    expect(inTransaction).not.toBe(outside)
  })

  it('runs the other reads if one of them fails', async () => {
    const { db } = await openTestStore()
    const results = await Promise.allSettled([
      findProcess(db),
      sql`SELECT 1 / ${0}::bigint`.execute(db),
      findProcess(db),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('is replaced for all of its reads if it is lost', async () => {
    const { db, path } = await openTestStore()
    const idle = await findProcesses(db)
    await endConnections(path, idle)
    const [pid = 0] = await findProcesses(db)
    expect(idle).not.toContain(pid)
    const running = findProcesses(db, 0.1)
    await nextTurn()
    await endConnections(path, [pid])
    expect(await running).not.toContain(pid)
  })
})
