import { setImmediate as nextTick } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Db } from '#server/store/schema/database.ts'
import { onPostgres } from '#test/engine.ts'
import { openTestStore } from '#test/test-store.ts'

/** The process of the server that runs a read. */
async function findProcess(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)
  return rows[0]?.pid ?? 0
}

const findProcesses = (db: Db) => Promise.all(Array.from({ length: 5 }, () => findProcess(db)))

/** Another connection to the database. */
async function openClient(path: string): Promise<Client> {
  const client = new Client({ connectionString: path })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Ends connections of the database, as a restart of its server does. */
async function endConnections(by: Client, pids: readonly number[]): Promise<void> {
  for (const pid of pids) await by.query('SELECT pg_terminate_backend($1)', [pid])
}

/** Lets reads of `acquire` wait until the returned function is called. */
async function holdTurn(by: Client): Promise<() => Promise<unknown>> {
  await by.query('SELECT pg_advisory_lock(7)')
  return () => by.query('SELECT pg_advisory_unlock(7)')
}

/** The process of the server that runs a read, which waits for its turn. */
async function acquire(db: Db): Promise<number> {
  const { rows } = await sql<{
    pid: number
  }>`SELECT pg_backend_pid() AS pid, pg_advisory_xact_lock_shared(7)`.execute(db)
  return rows[0]?.pid ?? 0
}

describe.skipIf(!onPostgres)('a connection for reads', () => {
  it('runs the reads that are requested in the same tick of the event loop', async () => {
    const { db } = await openTestStore()
    expect(new Set(await findProcesses(db))).toHaveLength(1)
  })

  it('does not delay the reads of later ticks', async () => {
    const { db, path } = await openTestStore()
    const release = await holdTurn(await openClient(path))
    const slow = acquire(db)
    await nextTick()
    const quick = await findProcess(db)
    await release()
    expect(quick).not.toBe(await slow)
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
    const client = await openClient(path)
    const idle = await findProcesses(db)
    await endConnections(client, idle)
    const [pid = 0] = await findProcesses(db)
    expect(idle).not.toContain(pid)
    const release = await holdTurn(client)
    const running = Promise.all(Array.from({ length: 5 }, () => acquire(db)))
    await nextTick()
    await endConnections(client, [pid])
    await release()
    expect(await running).not.toContain(pid)
  })
})
