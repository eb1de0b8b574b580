import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Another application on TanStack Start, built and running on its own origin. */
export interface NoiseApp {
  origin: string
  /** Ends it, after its server has sent all pending reports. */
  stop(): Promise<void>
}

const root = join(import.meta.dirname, '../../..')
const fixture = join(import.meta.dirname, '../fixtures/noise-app')

/** Builds the application of `fixtures/noise-app` in a temporary folder, and starts it with that DSN. */
export async function startNoiseApp(dsn: string): Promise<NoiseApp> {
  const folder = await mkdtemp(join(tmpdir(), 'culvert-noise-'))
  await cp(fixture, folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production', SENTRY_DSN: dsn, VITE_DSN: dsn }
  await promisify(execFile)(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], {
    cwd: folder,
    env,
  })
  const child = spawn(process.execPath, ['serve.ts'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return {
    origin: await readOrigin(child),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function readOrigin(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (printed: Buffer) => resolve(printed.toString().trim()))
    child.once('exit', (code) => reject(new Error(`the application ended with ${code}`)))
  })
}
