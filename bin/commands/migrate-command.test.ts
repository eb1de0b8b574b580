import { expect, it } from 'vitest'
import { runCommand } from '#test/run-command.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { migrate } from './migrate.ts'

it('creates the database, and changes nothing the second time', async () => {
  const dataDir = await makeTestFolder()
  const variables = { CULVERT_DATA_DIR: dataDir }
  const stdout = `The schema of ${dataDir} is up to date.\n`
  const first = await runCommand(migrate, [], variables)
  expect(first).toMatchObject({ code: 0, stdout })
  expect(first.stderr).toContain('Created a new installation')
  expect(await runCommand(migrate, [], variables)).toEqual({ code: 0, stdout, stderr: '' })
})

it('reports invalid settings and arguments', async () => {
  const wrong = await runCommand(migrate, [], { DATABASE_URL: 'mysql://localhost/culvert' })
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('DATABASE_URL')
  expect((await runCommand(migrate, ['now'], {})).code).toBe(2)
})
