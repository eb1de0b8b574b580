import { join } from 'node:path'
import { it } from 'vitest'
import { makeTestFolder } from '#test/test-store.ts'
import { countMigrationStatements, expectWholeSchema } from './support/migration-kills.ts'

it('a migration killed after any of its statements leaves a whole schema', async () => {
  const folder = await makeTestFolder()
  const count = await countMigrationStatements()
  for (let killAfter = 1; killAfter <= count; killAfter += 1)
    await expectWholeSchema(join(folder, 'culvert.db'), killAfter)
})
