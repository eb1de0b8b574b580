import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { prepareIngestStatements } from '#server/store/ingest/statements.ts'
import { takeLease } from '#server/store/installation/lease.ts'
import { recordHeartbeat } from '#server/store/installation/processes.ts'
import { recordProbe } from '#server/store/installation/settings.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { onPostgres } from '#test/engine.ts'
import { startPostgresCluster, type PostgresCluster } from '#test/postgres-cluster.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { uncachedTables } from './cached-tables.ts'
import { parseStatementShape } from './statements/shape.ts'
import { toPostgresSql } from './statements/sql-text.ts'

const load = { itemsPerMinute: 0, cpuPermille: 0, memoryBytes: 0 }
const sign = { id: 'one', version: '1', host: 'other', pid: 1, origin: '', startedAt: 0, ...load }

/** Starts a server with its own database. */
async function startAlone() {
  // All databases of a server share transaction ids, which autovacuum uses as well.
  const cluster = await startPostgresCluster({ settings: { autovacuum: 'off' } })
  onTestFinished(() => cluster.stop())
  return { cluster, path: await cluster.createDatabase('pair') }
}

async function open(path: string): Promise<Store> {
  const store = await openStore({ path, clock: Date.now })
  onTestFinished(() => store.close())
  return store
}

/** Runs a transaction of ingest for a project. Returns the other transactions that it notices. */
function createIngest(store: Store, projectId: number) {
  const watch = store.engine.watchWrites()
  const wanted = {
    first: [],
    others: [projectId],
    isFirstOverdue: false,
    withDeltas: false,
    suffices: () => true,
  }
  return async (end = 'COMMIT') => {
    await store.writeGate.begin(
      () => true,
      () => wanted,
    )
    const seen = watch.begin()
    store.connection.exec(end)
    return seen
  }
}

/** Two stores of a database, and the transactions of the second that ingest of the first notices. */
async function openPair() {
  const { path } = await startAlone()
  const store = await open(path)
  const other = await open(path)
  return { store, other, ingest: createIngest(store, 1), ingestOther: createIngest(other, 2) }
}

/** An address that leads to one server after another, as after a failover. */
async function createAddress() {
  const folder = await makeTestFolder()
  const link = join(folder, 'server')
  return {
    path: `postgres://culvert@localhost/pair?host=${encodeURIComponent(link)}`,
    async leadTo({ cluster }: { cluster: PostgresCluster }) {
      await rm(link, { force: true })
      await symlink(cluster.folder, link)
    },
  }
}

/** Runs empty transactions until the next one has a higher number. Returns the last one. */
async function countUp(path: string, number = 0): Promise<number> {
  const client = new Client({ connectionString: path })
  await client.connect()
  let last: number
  do {
    const { rows } = await client.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id')
    last = Number(rows[0]?.id)
  } while (last < number)
  await client.end()
  return last
}

/** In a transaction that excludes all other writers. */
async function deleteRows({ writer }: Store) {
  await writer.deleteFrom('issue_environments').where('project_id', '=', 7).execute()
}

describe.skipIf(!onPostgres)('the writes of other connections', () => {
  it('are none if there was only a heartbeat', async () => {
    const { other, ingest } = await openPair()
    expect([await ingest(), await ingest()]).toEqual(['any', 'none'])
    await recordHeartbeat(other, sign)
    await recordHeartbeat(other, { ...sign, id: 'two' })
    expect([await ingest(), await ingest()]).toEqual(['none', 'none'])
  })

  it('is nothing that ingest has read where a process, its own or another one, took a lease or was checked', async () => {
    const { store, other, ingest } = await openPair()
    await ingest()
    await recordHeartbeat(store, sign)
    expect(await ingest()).toBe('none')
    await takeLease(store, 'retention', 'one')
    expect(await ingest()).toBe('noDeletions')
    await takeLease(other, 'retention', 'two')
    expect(await ingest()).toBe('noDeletions')
    // Each check of readiness by a load balancer.
    await recordProbe(other, 1)
    expect(await ingest()).toBe('noDeletions')
    await deleteRows(store)
    expect(await ingest()).toBe('any')
  })

  it('are rows that ingest does not read in the tables that do not count', async () => {
    const { store } = await openPair()
    const read = new Set<string>()
    const noting =
      <Prepared>(prepare: (sql: string) => Prepared) =>
      (sql: string) => {
        for (const table of parseStatementShape(toPostgresSql(sql)).tables) read.add(table)
        return prepare(sql)
      }
    const { connection, engine } = store
    prepareIngestStatements({
      connection,
      engine: {
        ...engine,
        prepareRead: noting((sql) => engine.prepareRead(sql)),
        prepareChange: noting((sql) => engine.prepareChange(sql)),
        prepareWrite: noting((sql) => engine.prepareWrite(sql)),
      },
    })
    expect(read.size).toBeGreaterThan(20)
    expect([...uncachedTables].filter((table) => read.has(table))).toEqual([])
    for (const table of uncachedTables) expect(engine.listReferringTables(table)).toEqual([])
  })

  it('may include deletions only after a transaction that excludes all other writers', async () => {
    const { ingest, ingestOther, other } = await openPair()
    await ingest()
    await ingestOther()
    expect([await ingest(), await ingest()]).toEqual(['noDeletions', 'none'])
    await deleteRows(other)
    expect([await ingest(), await ingest()]).toEqual(['any', 'none'])
  })

  it('are unknown after a rollback, even if it rolled back deletions', async () => {
    const { other, ingest, ingestOther } = await openPair()
    await ingest()
    await deleteRows(other)
    expect(await ingest('ROLLBACK')).toBe('any')
    await ingestOther()
    expect(await ingest()).toBe('any')
  })

  it('are unknown on another server, even if its next transaction has the next id', async () => {
    const [former, next] = [await startAlone(), await startAlone()]
    const address = await createAddress()
    await (await openStore({ path: next.path })).close()
    await address.leadTo(former)
    const store = await open(address.path)
    await countUp(former.path, await countUp(next.path))
    const ingest = createIngest(store, 1)
    expect([await ingest(), await ingest()]).toEqual(['any', 'none'])
    await countUp(next.path, (await countUp(former.path)) - 1)
    await former.cluster.stop()
    await address.leadTo(next)
    expect([await ingest(), await ingest()]).toEqual(['any', 'none'])
  })
})
