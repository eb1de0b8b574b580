import { expect, it } from 'vitest'
import { findPostgresPrograms } from '#test/postgres-cluster.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { failProcesses, type Fault } from './support/process-kills.ts'

const hindrance = findPostgresPrograms() === undefined ? ' (skipped: no PostgreSQL is installed)' : ''

/** One after another, under the same load. */
const faults: Fault[] = ['kill a server', 'suspend a server', 'kill a server', 'suspend a server']

it.skipIf(hindrance !== '')(
  `three servers on one PostgreSQL lose and double nothing when some are killed and some suspended in a transaction${hindrance}`,
  async () => {
    const dataDir = await makeTestFolder()
    const { ledger, violations, changeCounts, deadlocks } = await failProcesses(dataDir, {
      clientCount: 10,
      loadMs: 1_000,
      // The test is about the faults, not about the servers' capacity.
      pauseMs: 150,
      faults,
    })
    expect(violations).toEqual([])
    expect(deadlocks).toEqual([])
    expect(ledger.acked.size).toBeGreaterThan(400)
    expect(Object.keys(changeCounts).toSorted()).toEqual([
      'merged',
      'merged_into',
      'regressed',
      'status',
      'undone',
    ])
  },
  180_000,
)
