import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

let built: Promise<unknown> | undefined

/**
 * Builds the console, unless the sources are those of the last build. Returns its folder.
 * Compares the sources once per process.
 */
export async function buildConsole(): Promise<string> {
  built ??= promisify(execFile)(process.execPath, [join(root, 'bin/setup.mjs'), 'build'], {
    env: { PATH: process.env['PATH'] },
  })
  await built
  return root
}

/** The ids with which a build's pages call their server functions. */
export function listServerFunctionIds(folder: string): string[] {
  const assets = join(folder, 'dist/client/assets')
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const code = scripts.map((name) => readFileSync(join(assets, name), 'utf8')).join('\n')
  return [...listServerFunctions(folder).values()].map(({ id }) => id).filter((id) => code.includes(id))
}

/** Names of the built client's files under /assets/, without their compressed copies. */
export function listAssets(folder: string): string[] {
  return readdirSync(join(folder, 'dist/client/assets')).filter((name) => !/\.(br|gz)$/.test(name))
}

/** The server functions of a build: each by its name, with its id and its method. */
export function listServerFunctions(folder: string): Map<string, { id: string; method: 'GET' | 'POST' }> {
  const manifest = readFileSync(join(folder, 'dist/server/server.js'), 'utf8')
  const found = manifest.matchAll(/"([0-9a-f]{16})": \{\s*functionName: "(\w+?)_createServerFn_handler"/g)
  const sources = readServerFunctionSources(join(folder, 'src/server'))
  return new Map(
    [...found].map(([, id = '', name = '']) => {
      const isPost = new RegExp(`const ${name} = createServerFn\\(\\{ method: 'POST'`).test(sources)
      return [name, { id, method: isPost ? 'POST' : 'GET' }]
    }),
  )
}

function readServerFunctionSources(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.functions.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}
