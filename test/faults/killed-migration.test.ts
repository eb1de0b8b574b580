import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createTempDir } from '../support/temp-dir.ts'
import { countMigrationStatements, expectWholeSchema } from './support/migration-kills.ts'

it('a migration that is killed leaves the schema before it or after it, and the next run finishes', async () => {
  const folder = await createTempDir()
  onTestFinished(() => folder.remove())
  const count = await countMigrationStatements()
  expect(count).toBeGreaterThan(30)
  for (const share of [0.02, 0.5, 0.97])
    await expectWholeSchema(join(folder.path, 'culvert.db'), Math.ceil(count * share))
})
