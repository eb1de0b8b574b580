#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { OperatorError } from '#server/errors.ts'
import { HelpRequest, isHelpOption } from './commands/command.ts'
import { commands } from './commands/commands.ts'

/** Entry of the command line: finds the command in the arguments and runs it. */

/** From the bundle to the folder with `package.json`; undeclared when run from source. */
declare const __CULVERT_ROOT__: string | undefined

const root = join(import.meta.dirname, typeof __CULVERT_ROOT__ === 'undefined' ? '..' : __CULVERT_ROOT__)

/**
 * Enables the compile cache: a start saves half a second and 25 MB of stripping types (measured). Set in the
 * environment, which threads read and `bin/setup.mjs` sets too. Has no effect if the folder is not writable.
 */
function keepCompiledSources(): void {
  process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled-sources')
  enableCompileCache(process.env['NODE_COMPILE_CACHE'])
}

async function main(args: string[]): Promise<void> {
  const [first = 'help', second = ''] = args
  const twoWords = `${first} ${second}`
  const name = Object.hasOwn(commands, twoWords) ? twoWords : first
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load === undefined) return rejectUnknown(args)
  const command = await load()
  await command(args.slice(name === twoWords ? 2 : 1), {
    variables: process.env,
    root,
    print,
    report: (text) => process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
  })
}

function print(text: string): void {
  process.stdout.write(text)
}

/** `culvert project` alone is not a command, but a prefix of some. */
async function rejectUnknown(args: string[]): Promise<void> {
  const { commandsText } = await import('./commands/help.ts')
  const [first = ''] = args
  const alike = commandsText(first)
  if (alike !== '' && args.some(isHelpOption)) return print(alike)
  const known = alike === '' ? '"culvert help" lists them.' : `There are:\n\n${alike.trimEnd()}`
  throw new OperatorError(`Unknown command ${JSON.stringify(args.join(' '))}. ${known}`, 2)
}

/** Databases and backups are readable only by the account of the process. */
const umask = 0o077

try {
  process.umask(umask)
  keepCompiledSources()
  await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof HelpRequest) print(error.message)
  else if (error instanceof OperatorError) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = error.exitCode
  } else throw error
}
