import { spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** Replaces npm: records its arguments. */
const npm = `#!/bin/sh
echo "npm $1" >> calls.log
sleep 0.2
[ -e npm-fails ] && { echo "no such package"; exit 1; }
mkdir -p node_modules
`

/** Replaces the build: records its runs. */
const build = `
import { appendFileSync } from 'node:fs'
import { EOL } from 'node:os'
appendFileSync('calls.log', 'build ' + process.env.NODE_ENV + EOL)
`

const culvert = `
const [command] = process.argv.slice(2)
if (command === 'wait') {
  let signals = 0
  process.on('SIGTERM', () => {
    signals += 1
    setTimeout(() => { console.log('signals', signals); process.exit(7) }, 200)
  })
  setInterval(() => undefined, 1000)
  console.log('ready')
} else {
  console.log(process.argv.slice(2).join(' '), process.env.PORT)
  process.exitCode = 3
}
`

let folder = ''
let variables: Record<string, string> = {}

beforeEach(async () => {
  variables = {}
  folder = await mkdtemp(join(tmpdir(), 'culvert-setup-'))
  await mkdir(join(folder, 'machine'))
  await mkdir(join(folder, 'src'))
  await cp('bin/setup', join(folder, 'bin/setup'), { recursive: true })
  await cp('bin/setup.mjs', join(folder, 'bin/setup.mjs'))
  await write('bin/culvert.ts', culvert)
  await write('machine/npm', npm)
  await write('bin/build.ts', build)
  await chmod(join(folder, 'machine/npm'), 0o755)
  await write('package.json', '{"type":"module","dependencies":{}}')
  await write('package-lock.json', '{}')
  await write('src/router.tsx', 'export {}')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

describe('setup', { timeout: 30_000 }, () => {
  it('installs on the first run, and on the next one only when the lock file changed', async () => {
    await setup('culvert')
    await setup('culvert')
    expect(await calls()).toEqual(['npm ci'])
    await write('package-lock.json', '{"lockfileVersion":3}')
    await setup('culvert')
    expect(await calls()).toEqual(['npm ci', 'npm ci'])
  })

  it('does not install again for a change of package.json outside of the dependencies', async () => {
    await setup('culvert')
    await write('package.json', '{"type":"module","dependencies":{},"scripts":{"new":"true"}}')
    await setup('culvert')
    expect(await calls()).toEqual(['npm ci'])
  })

  it('installs once when two start at the same time', async () => {
    const both = await Promise.all([setup('culvert', 'one'), setup('culvert', 'two')])
    expect(both.map(({ exitCode }) => exitCode)).toEqual([3, 3])
    expect(await calls()).toEqual(['npm ci'])
  })

  it('breaks the lock of a setup that was killed', async () => {
    await mkdir(join(folder, '.node/lock'), { recursive: true })
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(join(folder, '.node/lock'), longAgo, longAgo)
    const { exitCode } = await setup('culvert')
    expect(exitCode).toBe(3)
  })

  it('prints npm’s output when it fails, exits with 1, and retries the next time', async () => {
    await write('npm-fails', '')
    const failed = await setup('culvert')
    expect(failed).toMatchObject({ exitCode: 1, stdout: '' })
    expect(failed.stderr).toContain('no such package')
    expect(failed.stderr).toContain('Failed: Installing dependencies.')
    await rm(join(folder, 'npm-fails'))
    const { exitCode } = await setup('culvert')
    expect(exitCode).toBe(3)
  })

  it('builds for production, and again only when a source of the build changed', async () => {
    await setup('build')
    await setup('build')
    await write('src/router.test.ts', 'export {}')
    await write('src/routeTree.gen.ts', 'export {}')
    await setup('build')
    expect(await calls()).toEqual(['npm ci', 'build production'])
    await write('src/router.tsx', 'export const changed = true')
    await setup('build')
    expect(await calls()).toEqual(['npm ci', 'build production', 'build production'])
  })

  it('builds for Vercel on Vercel, and a local start does not use that build', async () => {
    await write('bin/test.ts', 'console.log(process.env.VERCEL)')
    variables = { VERCEL: '1' }
    await setup('build')
    await setup('build')
    expect(await calls()).toEqual(['npm ci', 'build production'])
    expect((await setup('test')).stdout).toBe('undefined\n')
    await setup('playwright')
    expect(await calls()).toEqual(['npm ci', 'build production', 'build production'])
  })

  it('passes arguments, settings and the exit code through, and prints nothing else on stdout', async () => {
    await write('.env', 'PORT=4711')
    const { exitCode, stdout } = await setup('culvert', 'project', 'add', 'Shop')
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: 'project add Shop 4711\n' })
  })

  it('prints nothing when there is nothing to do', async () => {
    await setup('culvert')
    expect((await setup('culvert')).stderr).toBe('')
  })

  it('passes SIGTERM on once, even if it is sent again, and waits for the end', async () => {
    await setup('culvert')
    const { exitCode, stdout } = await run(['culvert', 'wait'], (child) => {
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGTERM'), 50)
    })
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: 'ready\nsignals 1\n' })
  })

  it('stops the process below npm when the shell in between is gone', async () => {
    await setup('culvert')
    const { stdout } = await run(['culvert', 'wait'], (shell) => shell.kill('SIGKILL'), [
      'sh',
      '-c',
      '"$0" "$@"; true',
    ])
    expect(stdout).toBe('ready\nsignals 1\n')
  })

  it('lists the commands for an unknown one', async () => {
    const { exitCode, stderr } = await setup('constructor')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('start|')
  })
})

function write(path: string, text: string): Promise<void> {
  return writeFile(join(folder, path), text)
}

async function calls(): Promise<string[]> {
  return (await readFile(join(folder, 'calls.log'), 'utf8')).trim().split('\n')
}

interface Ending {
  exitCode: number | null
  stdout: string
  stderr: string
}

function setup(...args: string[]): Promise<Ending> {
  return run(args)
}

type Child = ReturnType<typeof spawn>

/** Runs the copied setup to its end; `onOutput` is called at its first output on stdout. */
function run(args: string[], onOutput?: (child: Child) => void, shell: string[] = []): Promise<Ending> {
  const [program = '', ...rest] = [...shell, process.execPath, join(folder, 'bin/setup.mjs'), ...args]
  const child = spawn(program, rest, {
    env: {
      PATH: [join(folder, 'machine'), process.env.PATH].join(delimiter),
      ...variables,
      ...(shell.length === 0 ? {} : { npm_lifecycle_event: 'culvert' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (stdout === '') onOutput?.(child)
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }))
  })
}
