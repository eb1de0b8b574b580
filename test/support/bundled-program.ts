import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '#time/time-steps.ts'

const root = join(import.meta.dirname, '../..')
const bundles = join(root, 'node_modules/.cache/bundles')

/** The compile cache: set when Node starts, as in `bin/setup.mjs`, it covers the first module, too. */
export const compiledSources = join(root, 'node_modules/.cache/compiled-sources')

let bundled: Promise<string> | undefined

/**
 * The path of the command line, bundled from this tree as for the npm package: a server starts with it in
 * 0.5 s of processor time, and in 1.3 s with a thousand source files. The bundle's folder has the hash of
 * all sources in its name, so another source is another bundle. Compared once per process.
 */
export async function bundledProgram(): Promise<string> {
  bundled ??= bundle()
  return join(await bundled, 'dist/program/program.js')
}

async function bundle(): Promise<string> {
  const folder = join(bundles, fingerprint())
  if (existsSync(folder)) return folder
  await mkdir(bundles, { recursive: true })
  removeOld()
  const made = await mkdtemp(join(bundles, 'unfinished-'))
  const { bundlePrograms } = await import('../../bin/packaging/programs.ts')
  await bundlePrograms(made, 'tests')
  for (const name of ['dist/client', 'dist/console', 'package.json'])
    symlinkSync(join(root, name), join(made, name))
  try {
    renameSync(made, folder)
  } catch (error) {
    // Another process was first.
    if (!existsSync(folder)) throw error
    rmSync(made, { recursive: true })
  }
  return folder
}

/** Of everything that may be in the bundle. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const inputs = ['app.config.ts', 'package.json', 'package-lock.json'].map((name) => join(root, name))
  for (const path of [...inputs, ...listSources('bin'), ...listSources('src')]) {
    hash.update(path).update('\0').update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

function listSources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
}

/** A run of tests that still uses one is younger. */
function removeOld(): void {
  for (const name of readdirSync(bundles)) {
    const path = join(bundles, name)
    // Another process may rename or remove it meanwhile.
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (Date.now() - changedAt > dayMs) rmSync(path, { recursive: true, force: true })
  }
}
