import { join } from 'node:path'
import { it } from 'vitest'
import { createTempDir } from '../support/temp-dir.ts'
import { countMigrationStatements, expectWholeSchema } from './support/migration-kills.ts'

it('a migration killed after any of its statements leaves a whole schema', async () => {
  const folder = await createTempDir()
  const count = await countMigrationStatements()
  for (let killAfter = 1; killAfter <= count; killAfter += 1)
    await expectWholeSchema(join(folder.path, 'culvert.db'), killAfter)
  await folder.remove()
})
