import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ProxySite, ReverseProxy } from './reverse-proxies.ts'
import { createTempDir } from './temp-dir.ts'

const root = join(import.meta.dirname, '../..')
const fixture = join(root, 'test/integration/fixtures/crumbs-app')

/** Not in the fixture: the build writes the route tree. */
const router = `import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routeTree.gen.ts'

export const getRouter = () => createRouter({ routeTree })
`

/** Builds an application on Start with the recipe as `src/routes/crumbs.ts`, and serves it on a free port. */
export async function startCrumbsApp({ recipe, pages = '.' }: ProxySite): Promise<ReverseProxy> {
  const temp = await createTempDir()
  const folder = temp.path
  await cp(fixture, folder, { recursive: true })
  await writeFile(join(folder, 'src/routes/crumbs.ts'), recipe)
  await writeFile(join(folder, 'src/router.ts'), router)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const options = { cwd: folder, env: { PATH: process.env['PATH'], NODE_ENV: 'production' } }
  await promisify(execFile)(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], options)
  const child = spawn(process.execPath, ['serve.ts', pages], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [printed] = (await Promise.race([
    once(child.stdout, 'data'),
    exited.then(([code]) => Promise.reject(new Error(`the application ended with ${code}`))),
  ])) as [Buffer]
  return {
    origin: printed.toString().trim(),
    async stop() {
      child.kill('SIGTERM')
      await exited
      await temp.remove()
    },
  }
}
