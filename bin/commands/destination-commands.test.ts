import { describe, expect, it } from 'vitest'
import { prepareCommandLine } from '#test/command-line.ts'
import { textLike } from '#test/matchers.ts'
import { runCommand } from '#test/run-command.ts'
import { destinationAdd } from './destinations/add.ts'

const commandLine = prepareCommandLine()
const { run } = commandLine

describe('culvert destination add', () => {
  it.each([
    ['http://10.0.0.7:8080/hook', '10.0.0.7:8080', 'its address is on this machine or a private network'],
    ['https://[fd00::1]/hook', '[fd00::1]', 'its address is on this machine or a private network'],
    ['https://localhost/hook', 'localhost', 'its address is on this machine or a private network'],
    ['http://203.0.114.7:8080/hook', '203.0.114.7:8080', 'its URL uses http://, which is not encrypted'],
  ])('adds %s with a warning that the server must allow it', async (url, host, problem) => {
    const added = await run(destinationAdd, 'webhook', 'ops', `url=${url}`)
    expect(added).toMatchObject({ code: 0, stdout: textLike(/^destination {2}/) })
    expect(added.stderr).toContain(
      `Culvert will not send to ${host}: ${problem}; CULVERT_ALLOW_PRIVATE_DESTINATIONS=`,
    )
  })

  it('adds an address without a warning if it is public, or the operator allows it', async () => {
    const open = await run(destinationAdd, 'webhook', 'ops', 'url=https://203.0.114.7/hook')
    expect(open).toMatchObject({ code: 0, stderr: '' })
    const allowed = {
      CULVERT_DATA_DIR: commandLine.path,
      CULVERT_ALLOW_PRIVATE_DESTINATIONS: '10.0.0.0/8 localhost:9000',
    }
    for (const host of ['10.0.0.7', 'localhost:9000']) {
      const settings = ['webhook', host, `url=http://${host}/hook`]
      expect(await runCommand(destinationAdd, settings, allowed)).toMatchObject({ code: 0, stderr: '' })
    }
  })
})
