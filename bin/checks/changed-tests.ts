import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'

const testFile = /\.test\.tsx?$/
const sourceFile = /^(?:src|bin|bench)\/.*\.tsx?$/
const lintedFile = /\.(?:tsx?|mjs)$/
const lintSource =
  /^(?:oxlint\.config\.ts|bin\/checks\/(?:import-.*|database-drivers)\.ts|tsconfig\.json|package-lock\.json)$/

/**
 * The tests that changed files affect: changed tests of `test/integration` and `test/tooling`, and all tests
 * in the folder of a changed source. `tests` are the paths of all tests.
 */
export function testsOf(changed: readonly string[], tests: readonly string[]): string[] {
  const folders = new Set(changed.filter((path) => sourceFile.test(path)).map((path) => dirname(path)))
  const changedPaths = new Set(changed)
  return tests.filter((path) => folders.has(dirname(path)) || changedPaths.has(path))
}

/**
 * The files to lint: the changed ones, or `undefined` for all if a rule or the types of a package may have
 * changed.
 */
export function filesToLint(changed: readonly string[]): string[] | undefined {
  if (changed.some((path) => lintSource.test(path))) return undefined
  return changed.filter((path) => lintedFile.test(path))
}

/** Lists the files changed or added since a commit. Throws an Error if git fails. */
export function listChangedFiles(since: string): string[] {
  return [
    ...git('diff', '--name-only', '--diff-filter=d', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}

/** Lists the tests that changed files affect. Throws an Error if git fails. */
export function listChangedTests(changed: readonly string[]): string[] {
  const tests = git('ls-files', '--cached', '--others', '--exclude-standard')
    .filter((path) => testFile.test(path))
    .filter((path) => sourceFile.test(path) || /^test\/(?:integration|tooling)\//.test(path))
  return testsOf(changed, tests)
}

/** The merge base of the current branch and `main`; HEAD on `main` or without a merge base. */
export function findBase(): string {
  const [head = 'HEAD'] = git('rev-parse', 'HEAD')
  const { status, stdout } = spawnSync('git', ['merge-base', 'HEAD', 'main'], { encoding: 'utf8' })
  const base = stdout.trim()
  return status !== 0 || base === head ? head : base
}

function git(...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`)
  return stdout.split('\n').filter((line) => line !== '')
}
