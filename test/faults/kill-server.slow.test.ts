import { expect, it, onTestFinished } from 'vitest'
import { createTempDir } from '../support/temp-dir.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { killRepeatedly } from './support/kill-rounds.ts'
import { createLedger } from './support/ledger.ts'

it('loses nothing in 200 kills at random moments under 40 clients', async () => {
  const dataDir = await createTempDir()
  onTestFinished(() => dataDir.remove())
  await addFixtureProject(dataDir.path)
  const ledger = createLedger()
  const { violations, usualStartMs } = await killRepeatedly({
    dataDir: dataDir.path,
    ledger,
    killCount: 200,
    killsPerLook: 20,
  })
  expect(violations).toEqual([])
  expect(ledger.acked.size).toBeGreaterThan(2_000)
  expect(usualStartMs).toBeLessThan(2_000)
})
