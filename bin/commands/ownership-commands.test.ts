import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { prepareCommandLine } from '#test/command-line.ts'
import { ownershipSet } from './ownership/set.ts'
import { ownershipShow } from './ownership/show.ts'

const line = prepareCommandLine()

it('replaces the given files, and does not change the others', async () => {
  const file = join(line.path, 'CODEOWNERS')
  await writeFile(file, '/src/cart/ ada@example.com\r\n')
  expect(await line.run(ownershipSet, '42', '--codeowners', file)).toMatchObject({ code: 0 })
  const rules = join(line.path, 'rules')
  await writeFile(rules, 'path:src/* bo@example.com\n')
  expect(await line.run(ownershipSet, 'fixture', '--rules', rules, '--auto-assign', 'on')).toEqual({
    code: 0,
    stderr: '',
    stdout:
      'Rules\npath:src/* bo@example.com\n\nCODEOWNERS\n/src/cart/ ada@example.com\n\nNew issues are assigned to their first owner.\n',
  })
  const { stdout } = await line.run(ownershipShow, '42', '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    ownership: { rules: 'path:src/* bo@example.com', isAutoAssigned: true },
  })
})

it('reports each invalid line, and changes nothing', async () => {
  const file = join(line.path, 'rules')
  await writeFile(file, 'path:src/* ada@example.com\nnonsense\n')
  const result = await line.run(ownershipSet, '42', '--rules', file, '--auto-assign', 'perhaps')
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toMatch(/--rules, line 2: [^]*--auto-assign is on or off/)
  expect((await line.run(ownershipSet, '42', '--rules', '/nowhere')).stderr).toContain('no such file')
  expect((await line.run(ownershipSet, '42')).stderr).toContain('Set at least one option')
  expect((await line.run(ownershipShow, '42')).stdout).toContain('Rules\n  (none)')
})
