import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTestFolder } from '#test/test-store.ts'
import { countMigrationStatements, expectWholeSchema } from './support/migration-kills.ts'

it('a migration that is killed leaves the schema before it or after it, and the next run finishes', async () => {
  const folder = await makeTestFolder()
  const count = await countMigrationStatements()
  expect(count).toBeGreaterThan(30)
  for (const share of [0.02, 0.5, 0.97])
    await expectWholeSchema(join(folder, 'culvert.db'), Math.ceil(count * share))
})
