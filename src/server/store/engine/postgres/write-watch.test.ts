import { describe, expect, it, onTestFinished } from 'vitest'
import { recordHeartbeat } from '#server/store/installation/processes.ts'
import { openStore } from '#server/store/store.ts'
import { onPostgres } from '../../../../../test/support/engine.ts'
import { startPostgresCluster } from '../../../../../test/support/postgres-cluster.ts'

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
  return { other, ingest }
}

describe.skipIf(!onPostgres)('what other connections have written', () => {
  it('is nothing where it was only a heartbeat', async () => {
    const { other, ingest } = await openPair()
    expect([await ingest(), await ingest()]).toEqual(['any', 'none'])
    await recordHeartbeat(other, sign)
    await recordHeartbeat(other, { ...sign, id: 'two' })
    expect([await ingest(), await ingest()]).toEqual(['none', 'none'])
  })

  it('may be deletions only after a transaction that excludes all other writers', async () => {
    const { other, ingest } = await openPair()
    await ingest()
    await ingest(other)
    expect([await ingest(), await ingest()]).toEqual(['noDeletions', 'none'])
    other.connection.exec('BEGIN IMMEDIATE')
    other.connection.exec('COMMIT')
    expect([await ingest(), await ingest()]).toEqual(['any', 'none'])
  })

  it('may be anything after a rollback, also if deletions were seen in what was rolled back', async () => {
    const { other, ingest } = await openPair()
    await ingest()
    other.connection.exec('BEGIN IMMEDIATE')
    other.connection.exec('COMMIT')
    expect(await ingest(undefined, 'ROLLBACK')).toBe('any')
    await ingest(other)
    expect(await ingest()).toBe('any')
  })
})
