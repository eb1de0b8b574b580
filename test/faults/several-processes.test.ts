import { expect, it, onTestFinished } from 'vitest'
import { findPostgresPrograms } from '../support/postgres-cluster.ts'
import { createTempDir } from '../support/temp-dir.ts'
import { failProcesses, type Fault } from './support/process-kills.ts'

const hindrance = findPostgresPrograms() === undefined ? ' (skipped: no PostgreSQL is installed)' : ''

const cases: [what: string, faults: Fault[]][] = [
  ['two of them are killed', ['kill a server', 'kill a server']],
  ['a server is suspended, perhaps in a transaction', ['suspend a server', 'suspend a server']],
]

it.skipIf(hindrance !== '').each(cases)(
  `three servers on one PostgreSQL lose and double nothing when %s${hindrance}`,
  async (_what, faults) => {
    const dataDir = await createTempDir()
    onTestFinished(() => dataDir.remove())
    const { ledger, violations, changeCount, deadlocks } = await failProcesses(dataDir.path, {
      clientCount: 10,
      loadMs: 1_000,
      // The faults are tested, not how much the servers can take.
      pauseMs: 150,
      faults,
    })
    expect(violations).toEqual([])
    expect(deadlocks).toEqual([])
    expect(ledger.acked.size).toBeGreaterThan(200)
    expect(changeCount).toBeGreaterThan(20)
  },
  180_000,
)
