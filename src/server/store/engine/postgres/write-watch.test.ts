import { describe, expect, it, onTestFinished } from 'vitest'
import { prepareIngestStatements } from '#server/store/ingest/statements.ts'
import { takeLease } from '#server/store/installation/lease.ts'
import { recordHeartbeat } from '#server/store/installation/processes.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { onPostgres } from '../../../../../test/support/engine.ts'
import { startPostgresCluster } from '../../../../../test/support/postgres-cluster.ts'
import { unrememberedTables } from './remembered-tables.ts'
import { parseStatementShape } from './statements/shape.ts'
import { toPostgresSql } from './statements/sql-text.ts'

const load = { itemsPerMinute: 0, cpuPermille: 0, memoryBytes: 0 }
const sign = { id: 'one', version: '1', host: 'other', pid: 1, origin: '', startedAt: 0, ...load }

/** Two stores of a database; what a transaction of ingest in the first sees of the second. */
async function openPair() {
  // All databases of a server share the numbers of transactions, and so do autovacuum's.
  const cluster = await startPostgresCluster({ settings: { autovacuum: 'off' } })
  onTestFinished(() => cluster.stop())
  const path = await cluster.createDatabase('pair')
  const store = await openStore({ path, clock: Date.now })
  const other = await openStore({ path, clock: Date.now })
  onTestFinished(async () => {
    await store.close()
    await other.close()
  })
  const watch = store.engine.watchWrites()
  const ingest = async (of = store, end = 'COMMIT') => {
    const wanted = {
      first: [],
      others: [of === store ? 1 : 2],
      isFirstOverdue: false,
      withDeltas: false,
      suffices: () => true,
    }
    await of.writeGate.begin(
      () => true,
      () => wanted,
    )
    const seen = of === store ? watch.begin() : undefined
    of.connection.exec(end)
    return seen
  }
  return { store, other, ingest }
}

/** In a transaction that excludes all other writers. */
async function deleteRows({ writer }: Store) {
  await writer.deleteFrom('issue_environments').where('project_id', '=', 7).execute()
}

describe.skipIf(!onPostgres)('what other connections have written', () => {
  it('is nothing where it was only a heartbeat', async () => {
    const { other, ingest } = await openPair()
    expect([await ingest(), await ingest()]).toEqual(['any', 'none'])
    await recordHeartbeat(other, sign)
    await recordHeartbeat(other, { ...sign, id: 'two' })
    expect([await ingest(), await ingest()]).toEqual(['none', 'none'])
  })

  it('is nothing that ingest has read where a process, its own or another one, took a lease', async () => {
    const { store, other, ingest } = await openPair()
    await ingest()
    await recordHeartbeat(store, sign)
    expect(await ingest()).toBe('none')
    await takeLease(store, 'retention', 'one')
    expect(await ingest()).toBe('noDeletions')
    await takeLease(other, 'retention', 'two')
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
    expect([...unrememberedTables].filter((table) => read.has(table))).toEqual([])
    for (const table of unrememberedTables) expect(engine.listReferringTables(table)).toEqual([])
  })

  it('may be deletions only after a transaction that excludes all other writers', async () => {
    const { other, ingest } = await openPair()
    await ingest()
    await ingest(other)
    expect([await ingest(), await ingest()]).toEqual(['noDeletions', 'none'])
    await deleteRows(other)
    expect([await ingest(), await ingest()]).toEqual(['any', 'none'])
  })

  it('may be anything after a rollback, also if deletions were seen in what was rolled back', async () => {
    const { other, ingest } = await openPair()
    await ingest()
    await deleteRows(other)
    expect(await ingest(undefined, 'ROLLBACK')).toBe('any')
    await ingest(other)
    expect(await ingest()).toBe('any')
  })
})
