import { beforeEach, expect, it } from 'vitest'
import { textWith } from '#test/matchers.ts'
import { runCommand } from '#test/run-command.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { projectAdd } from './add.ts'
import { projectDelete } from './delete.ts'
import { projectList } from './list.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await makeTestFolder()
  await runCommand(projectAdd, ['Web Shop', '--id', '42'], variables())
})

const variables = () => ({ CULVERT_DATA_DIR: dataDir })
const remove = (...args: string[]) => runCommand(projectDelete, args, variables())
const list = async () => (await runCommand(projectList, [], variables())).stdout

it('deletes a project when its slug is confirmed', async () => {
  for (const args of [['42'], ['web-shop', '--confirm', 'Web Shop'], ['42', '--confirm', 'app']]) {
    expect(await remove(...args)).toMatchObject({ code: 2, stderr: textWith('--confirm web-shop') })
  }
  expect(await list()).toContain('Web Shop')
  expect((await remove('42', '--confirm', 'web-shop')).stdout).toBe('project web-shop (42) is deleted\n')
  expect(await list()).not.toContain('Web Shop')
  const again = { code: 1, stderr: textWith('Unknown project "42"') }
  expect(await remove('42', '--confirm', 'web-shop')).toMatchObject(again)
})

it('does not delete Culvert’s own project', async () => {
  expect(await remove('culvert', '--confirm', 'culvert')).toMatchObject({
    code: 1,
    stderr: textWith('it cannot be deleted'),
  })
})

it('does not reuse the id while the data of the deleted project is still being deleted', async () => {
  await remove('42', '--confirm', 'web-shop')
  const again = await runCommand(projectAdd, ['Web Shop', '--id', '42'], variables())
  expect(again).toMatchObject({ code: 1, stderr: textWith('still being deleted') })
  expect((await runCommand(projectAdd, ['Web Shop', '--id', '43'], variables())).code).toBe(0)
})
