import { expect, it } from 'vitest'
import { makeTestFolder } from '#test/test-store.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { killRepeatedly } from './support/kill-rounds.ts'
import { createLedger } from './support/ledger.ts'

it('loses nothing in 200 kills at random moments under 40 clients', async () => {
  const dataDir = await makeTestFolder()
  await addFixtureProject(dataDir)
  const ledger = createLedger()
  const { violations, usualStartMs } = await killRepeatedly({
    dataDir,
    ledger,
    killCount: 200,
    killsPerLook: 20,
  })
  expect(violations).toEqual([])
  expect(ledger.acked.size).toBeGreaterThan(2_000)
  expect(usualStartMs).toBeLessThan(2_000)
})
