import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** Builds the console, unless the sources are what they were at the last build. Answers with the folder it is in. */
export async function buildConsole(): Promise<string> {
  await promisify(execFile)(process.execPath, [join(root, 'bin/setup.mjs'), 'build'], {
    env: { PATH: process.env['PATH'] },
  })
  return root
}

/** The ids under which a build's pages call their server functions. */
export function listServerFunctionIds(folder: string): string[] {
  const assets = join(folder, 'dist/client/assets')
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const ids = scripts.flatMap(
    (name) => readFileSync(join(assets, name), 'utf8').match(/\b[0-9a-f]{64}\b/g) ?? [],
  )
  return [...new Set(ids)]
}

/** Names of the built client's files under /assets/, their compressed copies apart. */
export function listAssets(folder: string): string[] {
  return readdirSync(join(folder, 'dist/client/assets')).filter((name) => !/\.(br|gz)$/.test(name))
}
