import { describe, expect, it } from 'vitest'
import { prepareCommandLine } from '#test/command-line.ts'
import { textLike } from '#test/matchers.ts'
import type { Command } from './command.ts'
import { keyAdd } from './keys/add.ts'
import { keyList } from './keys/list.ts'
import { keyDisable, keyEnable } from './keys/switch.ts'

const key = 'e12d836b15bb49d7bbf99e64295d995b'
const otherKey = 'd15ab1edd15ab1edd15ab1edd15ab1ed'

const { run } = prepareCommandLine('--key', key)

describe('culvert key', () => {
  it('adds, lists, disables and enables keys', async () => {
    const added = await run(keyAdd, '42', '--key', otherKey.toUpperCase(), '--label', 'Old', '--disabled')
    expect(added).toEqual({
      code: 0,
      stdout: `key  ${otherKey}  (disabled)\nDSN  http://${otherKey}@127.0.0.1:3000/42\n`,
      stderr: '',
    })
    const states = async () => {
      const listed = await run(keyList, 'fixture', '--json')
      const keys = JSON.parse(listed.stdout) as { key: string; isActive: boolean }[]
      return keys.map((each) => [each.key, each.isActive])
    }
    expect(await states()).toEqual([
      [key, true],
      [otherKey, false],
    ])
    await run(keyEnable, otherKey)
    await run(keyDisable, key)
    expect(await states()).toEqual([
      [key, false],
      [otherKey, true],
    ])
    expect((await run(keyList, '42')).stdout).toMatch(/42 {2}d15a.* active {4}Old/)
  })

  it('rejects invalid arguments', async () => {
    const builtIn = JSON.parse((await run(keyList, '1', '--json')).stdout) as { key: string }[]
    const attempts: [[Command, ...string[]], number, RegExp][] = [
      [[keyAdd], 2, /One project is needed[^]*Usage: culvert key add/],
      [[keyAdd, '1', '2', '--key', 'x', '--label', ' '], 2, /One project[^]*--key is "x"[^]*--label/],
      [[keyAdd, 'none'], 1, /Unknown project "none"/],
      [[keyAdd, '42', '--key', key], 1, /belongs to project 42/],
      [[keyDisable, 'x', 'y'], 2, /KEY is "x"[^]*One key at a time/],
      [[keyEnable, otherKey], 1, /No project has this key/],
      [[keyDisable, builtIn[0]?.key ?? ''], 1, /only active key of the built-in project/],
      [[keyList, '1', '2'], 2, /One project at most/],
    ]
    for (const [args, code, problem] of attempts) {
      expect(await run(...args)).toMatchObject({ code, stdout: '', stderr: textLike(problem) })
    }
  })
})
