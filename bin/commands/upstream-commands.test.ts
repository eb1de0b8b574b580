import { beforeEach, describe, expect, it } from 'vitest'
import { textLike } from '#test/matchers.ts'
import { runCommand } from '#test/run-command.ts'
import { makeTestFolder } from '#test/test-store.ts'
import type { Command } from './command.ts'
import { projectAdd } from './projects/add.ts'
import { upstreamAdd } from './upstreams/add.ts'
import { upstreamList } from './upstreams/list.ts'
import { upstreamMode } from './upstreams/mode.ts'
import { upstreamRemove } from './upstreams/remove.ts'
import { upstreamPause, upstreamResume } from './upstreams/switch.ts'

const saas = 'https://e12d836b15bb49d7bbf99e64295d995b@o4507.ingest.us.sentry.io/42'
const own = 'https://31a5a894b4524f74a9a8d0e27e21ba92@glitchtip.example:8443/sub/7'

let dataDir: string
beforeEach(async () => {
  dataDir = await makeTestFolder()
  await run(projectAdd, 'shop', '--id', '42')
})

function run(command: Command, ...args: string[]) {
  return runCommand(command, args, { CULVERT_DATA_DIR: dataDir })
}

async function list(): Promise<Record<string, unknown>[]> {
  return JSON.parse((await run(upstreamList, 'shop', '--json')).stdout) as Record<string, unknown>[]
}

describe('culvert upstream', () => {
  it('adds, lists, pauses, resumes and removes', async () => {
    expect(await run(upstreamAdd, 'shop', saas)).toMatchObject({
      code: 0,
      stdout: textLike(/^upstream {2}[0-9a-f]{16}\n$/),
    })
    const options = ['--organization', '9', '--connect', '127.0.0.1:3128', '--errors-only', '--forward-only']
    expect(await run(upstreamAdd, '42', own, ...options)).toMatchObject({
      code: 0,
      stderr: textLike(/CULVERT_ALLOW_PRIVATE_UPSTREAMS/),
    })
    expect(await list()).toMatchObject([
      { dsn: saas, organization: '4507', region: 'us', kinds: 'all', isPaused: false },
      { dsn: own, organization: '9', connect: '127.0.0.1:3128', kinds: 'errors' },
    ])
    await run(upstreamPause, 'shop', saas)
    expect((await run(upstreamList)).stdout).toMatch(
      /42 {2}[0-9a-f]{16} {2}paused .*sentry\.io\/42\n.*active/,
    )
    await run(upstreamResume, 'shop', saas)
    expect(await list()).toMatchObject([{ isPaused: false }, {}])
    expect((await run(upstreamRemove, 'shop', own)).stdout).toBe('removed, with 0 envelopes discarded\n')
    expect((await run(upstreamMode, 'shop', 'both')).stdout).toBe('stored here, and forwarded\n')
    expect(await list()).toHaveLength(1)
    await run(upstreamRemove, 'shop', saas)
    expect((await run(upstreamMode, 'shop', 'both')).stdout).toBe(
      'stored here, and not forwarded: the project has no upstream\n',
    )
  })

  it('adds a private address with a warning that the server must allow it', async () => {
    const dsn = `http://${'a'.repeat(32)}@10.0.0.7:8000/1`
    expect(await run(upstreamAdd, 'shop', dsn)).toMatchObject({
      code: 0,
      stderr: textLike(
        /10\.0\.0\.7:8000 is on this machine or a private network[^]*ALLOW_PRIVATE_UPSTREAMS=1/,
      ),
    })
    const allowed = { CULVERT_DATA_DIR: dataDir, CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1' }
    const another = `http://${'a'.repeat(32)}@localhost:8000/1`
    expect(await runCommand(upstreamAdd, ['shop', another], allowed)).toMatchObject({ code: 0, stderr: '' })
  })

  it('rejects invalid arguments', async () => {
    await run(upstreamAdd, 'shop', saas)
    await run(projectAdd, 'other', '--id', '43')
    const attempts: [[Command, ...string[]], number, RegExp][] = [
      [[upstreamAdd, 'shop'], 2, /One project is needed[^]*Usage: culvert upstream add/],
      [[upstreamAdd, 'none', saas], 1, /Unknown project "none"/],
      [[upstreamAdd, 'shop', 'sentry.io'], 2, /This is not a DSN/],
      [[upstreamAdd, 'shop', saas], 2, /forwards to this DSN already/],
      [
        [upstreamAdd, '43', saas],
        2,
        /Another project forwards to this DSN already[^]*The other project is 42\./,
      ],
      [[upstreamAdd, '1', own], 2, /Culvert's own errors are not forwarded/],
      [[upstreamAdd, 'shop', `http://${'0'.repeat(32)}@127.0.0.1:3000/2`], 2, /belongs to this Culvert/],
      [[upstreamAdd, 'shop', own, '--organization', 'x'], 2, /1 to 20 digits/],
      [[upstreamAdd, 'shop', own, '--region', 'us'], 2, /needs an organization/],
      [[upstreamAdd, 'shop', own, '--connect', 'proxy'], 2, /must be HOST:PORT/],
      [[upstreamPause, '43'], 1, /has no upstream\. Add one/],
      [[upstreamRemove, 'shop', own], 1, /has no upstream "https:/],
      [[upstreamRemove], 2, /A project is needed/],
      [[upstreamMode, 'shop', 'neither'], 2, /it must be both or forward-only/],
    ]
    for (const [args, code, problem] of attempts) {
      expect(await run(...args)).toMatchObject({ code, stdout: '', stderr: textLike(problem) })
    }
    await run(upstreamAdd, 'shop', own)
    expect(await run(upstreamRemove, 'shop')).toMatchObject({
      code: 1,
      stderr: textLike(/has 2 upstreams: specify one/),
    })
  })
})
