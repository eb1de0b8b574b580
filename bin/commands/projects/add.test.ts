import { beforeEach, describe, expect, it } from 'vitest'
import { textLike } from '#test/matchers.ts'
import { runCommand } from '#test/run-command.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { projectAdd } from './add.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await makeTestFolder()
})

const key = 'e12d836b15bb49d7bbf99e64295d995b'

function run(args: string[]) {
  return runCommand(projectAdd, args, { CULVERT_DATA_DIR: dataDir })
}

describe('culvert project add', () => {
  it('rejects an existing id, name or key and names its project', async () => {
    await run(['shop', '--id', '42', '--key', key])
    const attempts: [string[], RegExp][] = [
      [['other', '--id', '42'], /Project 42 already exists: it is "shop"/],
      [['other', '--id', '1'], /Project 1 already exists: it is "Culvert"/],
      [['Shop'], /named "shop" already exists/],
      [['other', '--key', key], /belongs to project 42/],
    ]
    for (const [args, problem] of attempts) {
      const result = await run([...args])
      expect(result).toMatchObject({ code: 1, stdout: '', stderr: textLike(problem) })
    }
  })

  it.each([
    [[], /One name is needed/],
    [['a', 'b'], /quotes/],
    [['a', '--id', '0'], /--id is "0"/],
    [['a', '--id', '9007199254740993'], /whole number/],
    [['a', '--id', '-', '--key', 'xyz'], /--id is "-"[^]*32 hexadecimal digits/],
    [['a', '--colour', 'red'], /--colour.*\nUsage: culvert project add/],
  ])('rejects the arguments %j', async (args, problem) => {
    const result = await run([...args])
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: textLike(problem) })
  })
})
