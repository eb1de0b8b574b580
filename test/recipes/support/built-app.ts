import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './documents.ts'
import { type FixtureName, fingerprintOf, plainEnv, readLock, readText } from './fixture-install.ts'
import { runToSuccess } from './run-program.ts'

/** An application that a test builds from a fixture and the files of a recipe. */
export interface AppSource {
  /** Its folder below .recipes/INSTALL. */
  name: string
  /** The fixture with its packages. */
  install: FixtureName
  /** The folder of test/fixtures/recipes with the rest of the application. */
  fixture: string
  /** Files of the recipe, with `buildDsn` in them. */
  files: Record<string, string>
  /** Commands that check and build it, run one after another; programs of node_modules/.bin by their name. */
  build: string[][]
  /** Folders of the build that are not needed afterwards. */
  discarded?: string[]
  /** The output of the build: folders with the DSN in them. */
  output: string[]
}

/** The DSN that applications are built with; `pointAt` replaces it. No server listens there. */
export const buildDsn = 'http://e12d836b15bb49d7bbf99e64295d995b@127.0.0.1:65530/42'

/**
 * Builds an application that reports to `dsn`, and returns its folder. A build of the same sources and
 * packages is reused: the DSN in the built files is replaced.
 */
export async function buildApp(source: AppSource, installFolder: string, dsn: string): Promise<string> {
  const folder = join(installFolder, source.name)
  const files = { ...readFixture(source.fixture), ...source.files }
  const fingerprint = fingerprintOf([readLock(source.install), JSON.stringify([source.build, files])])
  const stamp = join(folder, '.culvert-stamp')
  const [builtFrom, builtDsn = ''] = readText(stamp).split('\n')
  const isBuilt = builtFrom === fingerprint
  if (!isBuilt) await runBuild(source, { files, folder, bin: join(installFolder, 'node_modules/.bin') })
  // An interrupted replacement leaves a folder without a stamp, which is built again.
  rmSync(stamp, { force: true })
  for (const output of source.output) replaceInFiles(join(folder, output), isBuilt ? builtDsn : buildDsn, dsn)
  writeFileSync(stamp, `${fingerprint}\n${dsn}`)
  return folder
}

async function runBuild(
  { build, discarded = [] }: AppSource,
  { files, folder, bin }: { files: Record<string, string>; folder: string; bin: string },
): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, content] of Object.entries(files)) writeFile(join(folder, path), content)
  for (const [program = '', ...args] of build) {
    await runToSuccess([join(bin, program), ...args], { cwd: folder, env: plainEnv })
  }
  for (const path of discarded) rmSync(join(folder, path), { recursive: true, force: true })
}

function readFixture(name: string): Record<string, string> {
  const folder = join(root, 'test/fixtures/recipes', name)
  return Object.fromEntries(
    listFiles(folder)
      .toSorted()
      .map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
  )
}

function replaceInFiles(folder: string, from: string, to: string): void {
  // Nitro serves each file with its length at build time.
  if (from.length !== to.length) throw new Error(`${from} and ${to} differ in length.`)
  let replacedCount = 0
  for (const path of listFiles(folder)) {
    const content = readFileSync(path, 'latin1')
    if (!content.includes(from)) continue
    writeFileSync(path, content.replaceAll(from, to), 'latin1')
    replacedCount += 1
  }
  if (replacedCount === 0) throw new Error(`No file in ${folder} has the DSN ${from}.`)
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

/** Writes a file and creates its folder. */
export function writeFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
