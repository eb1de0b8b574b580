import { expect, it } from 'vitest'
import { makeTestFolder } from '#test/test-store.ts'
import { failProcesses, type Fault } from './support/process-kills.ts'

const round: readonly Fault[] = [
  'kill a server',
  'suspend a server',
  'kill a server',
  'stop the database',
  'kill a server',
  'kill the database',
]

const isHundreds = (count: number) => count >= 100

it('three servers on one PostgreSQL under 64 clients lose nothing and store nothing twice in five rounds of faults', async () => {
  const dataDir = await makeTestFolder()
  const { ledger, violations, changeCounts, deadlocks } = await failProcesses(dataDir, {
    clientCount: 64,
    loadMs: 3_000,
    faults: Array.from({ length: 5 }, () => round).flat(),
  })
  expect(violations).toEqual([])
  expect(deadlocks).toEqual([])
  expect(ledger.acked.size).toBeGreaterThan(5_000)
  for (const kind of ['status', 'regressed', 'merged', 'undone'])
    expect({ kind, count: changeCounts[kind] }).toEqual({
      kind,
      count: expect.toSatisfy(isHundreds) as number,
    })
}, 1_200_000)
