import { beforeEach, describe, expect, it } from 'vitest'
import { textWith } from '#test/matchers.ts'
import { runCommand } from '#test/run-command.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { HelpRequest } from './command.ts'
import { commands } from './commands.ts'
import { commandsText } from './help.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await makeTestFolder()
})

const run = async (name: string, args: string[]) => {
  const command = await commands[name]?.()
  if (command === undefined) throw new Error(`there is no command ${name}`)
  return runCommand(command, args, { CULVERT_DATA_DIR: dataDir })
}

const names = Object.keys(commands).filter((name) => !/help|^-/.test(name))

describe('every command', () => {
  it.each(names)('is listed in the help and prints its usage: %s', async (name) => {
    expect(commandsText(name)).toContain(name)
    for (const option of ['--help', '-h']) {
      const asked = run(name, ['anything', option])
      await expect(asked).rejects.toThrow(HelpRequest)
      await expect(asked).rejects.toThrow(`Usage: culvert ${name}`)
    }
  })

  it.each(names)('rejects an unknown argument with its usage: %s', async (name) => {
    const rejection = { code: 2, stdout: '', stderr: textWith(`Usage: culvert ${name}`) }
    expect(await run(name, ['--nonsense'])).toMatchObject(rejection)
  })
})

describe('culvert help', () => {
  it('prints all commands, or those that start with the given words', async () => {
    expect((await run('help', [])).stdout).toContain('CULVERT_DATA_DIR')
    const { stdout } = await run('help', ['key'])
    expect(stdout).toMatch(/^ {2}key add[^]*key list[^]*key disable/)
    expect(stdout).not.toContain('project add')
    expect(await run('help', ['sink'])).toMatchObject({ code: 2, stderr: textWith('"sink"') })
  })
})
