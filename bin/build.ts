import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { readBuildRelease } from './build-release.ts'
import { bundleConsole, bundlePrograms } from './packaging/programs.ts'
import { keepPreviousClient } from './previous-client.ts'

/**
 * `npm run build`: the console into `dist/client` and `dist/console`, and the command line into
 * `dist/program`, one after another, because each takes up to 700 MB of memory. With `VERCEL` the console
 * becomes a function in `.vercel/output`, and nothing else is built.
 */
const root = join(import.meta.dirname, '..')
const vite = join(root, 'node_modules/vite/bin/vite.js')

function buildConsole(): Promise<void> {
  const child = spawn(process.execPath, [vite, 'build'], { cwd: root, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error('the console could not be built'))
    })
  })
}

const isForVercel = (process.env['VERCEL'] ?? '') !== ''
if (!isForVercel) await keepPreviousClient(join(root, 'dist'))
await buildConsole()
if (!isForVercel) {
  await bundleConsole(root)
  await bundlePrograms(root, readBuildRelease(process.env))
}
