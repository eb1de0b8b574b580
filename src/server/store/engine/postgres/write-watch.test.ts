import { expect, it, onTestFinished } from 'vitest'
import { recordHeartbeat } from '#server/store/installation/processes.ts'
import { openStore } from '#server/store/store.ts'
import { onPostgres } from '../../../../../test/support/engine.ts'
import { startPostgresCluster } from '../../../../../test/support/postgres-cluster.ts'

const load = { itemsPerMinute: 0, cpuPermille: 0, memoryBytes: 0 }
const sign = { id: 'one', version: '1', host: 'other', pid: 1, origin: '', startedAt: 0, ...load }

it.skipIf(!onPostgres)(
  'a connection counts as alone next to heartbeats, but not next to other writes',
  async () => {
    // All databases of a server share the numbers of transactions, and so do autovacuum's.
    const cluster = await startPostgresCluster({ settings: { autovacuum: 'off' } })
    onTestFinished(() => cluster.stop())
    const path = await cluster.createDatabase('alone')
    const store = await openStore({ path, clock: Date.now })
    const other = await openStore({ path, clock: Date.now })
    onTestFinished(async () => {
      await store.close()
      await other.close()
    })
    const watch = store.engine.watchWrites()
    const isAlone = () => {
      store.connection.exec('BEGIN IMMEDIATE')
      try {
        return watch.isAlone()
      } finally {
        store.connection.exec('COMMIT')
      }
    }
    expect(isAlone()).toBe(false)
    expect(isAlone()).toBe(true)
    await recordHeartbeat(other, sign)
    await recordHeartbeat(other, { ...sign, id: 'two' })
    expect(isAlone()).toBe(true)
    expect(isAlone()).toBe(true)
    other.connection.exec('BEGIN IMMEDIATE')
    other.connection.exec('COMMIT')
    expect(isAlone()).toBe(false)
    expect(isAlone()).toBe(true)
  },
)
