import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The application with failing routes, in a temporary folder. */
export interface FaultApp {
  folder: string
  remove(): Promise<void>
}

const root = join(import.meta.dirname, '../../..')
const fixtures = join(import.meta.dirname, '../fixtures/fault-app')
const sources = [
  'src',
  'bin',
  'public',
  'app.config.ts',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
] as const

/**
 * Copies the sources, adds the routes of `fixtures/fault-app`, which no real build contains, and builds as
 * `npm run build` does: the router, the entries and the monitoring are the application's own.
 */
export async function buildFaultApp(): Promise<FaultApp> {
  const folder = await mkdtemp(join(tmpdir(), 'culvert-faults-'))
  for (const name of sources) await cp(join(root, name), join(folder, name), { recursive: true })
  await cp(join(fixtures, 'routes'), join(folder, 'src/routes'), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await promisify(execFile)(process.execPath, ['bin/build.ts'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', SENTRY_RELEASE: 'culvert@faults' },
  })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
