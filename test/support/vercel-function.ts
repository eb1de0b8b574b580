import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTempDir } from './temp-dir.ts'

const root = join(import.meta.dirname, '../..')
const output = join(root, '.vercel/output')
const launcher = join(root, 'test/integration/fixtures/vercel-launcher.ts')

/** The build for Vercel, away from the sources and their node_modules, as it is when deployed. */
export interface VercelOutput {
  /** The folder with config.json, static/ and functions/. */
  path: string
  remove(): Promise<void>
}

/** Builds for Vercel, unless the sources are those of the last build, and copies the result. */
export async function buildForVercel(): Promise<VercelOutput> {
  await promisify(execFile)(process.execPath, [join(root, 'bin/setup.mjs'), 'build'], {
    env: { PATH: process.env['PATH'], VERCEL: '1' },
  })
  const folder = await createTempDir()
  // Links are copied as they are: an absolute link would lead back to the sources.
  await cp(output, folder.path, { recursive: true, verbatimSymlinks: true })
  return folder
}

/** The running function. */
export interface VercelFunction {
  origin: string
  pid: number
  /** Resolves when this many requests are done, with all of their `waitUntil` promises. */
  settled(count: number): Promise<void>
  /** Suspends it, like Vercel an instance without requests. */
  freeze(): void
  thaw(): void
  /** Its log so far. */
  log(): string
  /**
   * Ends it, by default with SIGKILL: once it has its services the SDK handles SIGTERM and leaves exiting to
   * the host.
   */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts the function behind a launcher like Vercel's, in a child process with these variables only. */
export async function startVercelFunction(
  { path }: VercelOutput,
  variables: Record<string, string>,
): Promise<VercelFunction> {
  const functionFolder = join(path, 'functions/__server.func')
  const child = spawn(process.execPath, [launcher, functionFolder], {
    cwd: functionFolder,
    env: { VERCEL: '1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let written = ''
  const keep = (chunk: string) => {
    written += chunk
  }
  child.stdout?.setEncoding('utf8').on('data', keep)
  child.stderr?.setEncoding('utf8').on('data', keep)
  const over = { count: 0 }
  child.on('message', (count) => {
    over.count = Number(count)
  })
  const origin = await readOrigin(child, () => written)
  return {
    origin,
    pid: child.pid ?? 0,
    async settled(count) {
      while (over.count < count) await once(child, 'message')
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    log: () => written.slice(origin.length + 1),
    async stop(signal = 'SIGKILL') {
      const closed = once(child, 'close')
      child.kill(signal)
      await closed
    },
  }
}

async function readOrigin(child: ChildProcess, written: () => string): Promise<string> {
  while (!written().includes('\n')) {
    await Promise.race([
      child.stdout === null ? undefined : once(child.stdout, 'data'),
      once(child, 'close').then(() => Promise.reject(new Error(`the launcher ended: ${written()}`))),
    ])
  }
  return written().slice(0, written().indexOf('\n'))
}
