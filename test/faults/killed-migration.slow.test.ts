import { join } from 'node:path'
import { it, onTestFinished } from 'vitest'
import { createTempDir } from '../support/temp-dir.ts'
import { countMigrationStatements, expectWholeSchema } from './support/migration-kills.ts'

it('a migration killed after any of its statements leaves a whole schema', async () => {
  const folder = await createTempDir()
  onTestFinished(() => folder.remove())
  const count = await countMigrationStatements()
  for (let killAfter = 1; killAfter <= count; killAfter += 1)
    await expectWholeSchema(join(folder.path, 'culvert.db'), killAfter)
})
