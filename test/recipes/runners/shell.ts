import { dirname } from 'node:path'
import { bundledProgram, compiledSources } from '#test/bundled-program.ts'
import { root } from '../support/documents.ts'
import { plainEnv } from '../support/fixture-install.ts'
import { runToSuccess } from '../support/run-program.ts'

/**
 * `npm run -s culvert -- …` without the half second that npm itself takes, and from the bundle, which takes a
 * third of the processor time of the sources. Any other spelling of it, and any other use of npm, is an
 * error: the README's block runs the sources with the real npm.
 */
const fastNpm = (program: string) => `npm() {
  if [ "$1 $2 $3 $4" != 'run -s culvert --' ]; then echo "not npm run -s culvert --: npm $*" >&2; return 1; fi
  shift 4
  '${process.execPath}' '${program}' "$@"
}`

/** Runs commands in bash, each of which must exit with 0, and returns their output. */
export function runShell(
  code: string,
  {
    variables = {},
    cwd = root,
    prelude = '',
  }: { variables?: NodeJS.ProcessEnv; cwd?: string; prelude?: string } = {},
): Promise<string> {
  const script = `set -eo pipefail\n${prelude}\n${code}`
  return runToSuccess(['bash', '-c', script], { cwd, env: { ...plainEnv, ...variables } })
}

/** Runs commands of Culvert's command line on a data directory, and returns their output. */
export async function runCommands(
  code: string,
  dataDir: string,
  more: NodeJS.ProcessEnv = {},
): Promise<string> {
  const variables = { CULVERT_DATA_DIR: dataDir, ...more, NODE_COMPILE_CACHE: compiledSources }
  return runShell(code, { variables, prelude: fastNpm(await bundledProgram()) })
}

/** PATH with the programs of a fixture's packages first. */
export function pathWith(installFolder: string): string {
  return [`${installFolder}/node_modules/.bin`, dirname(process.execPath), process.env['PATH']].join(':')
}
