#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { OperatorError } from '#server/errors.ts'
import { HelpRequest, isHelpOption } from './commands/command.ts'
import { commands } from './commands/commands.ts'

/** The operator's command line: finds the command that the arguments name and runs it. */

/**
 * What Node made of the sources once it finds again, so that a start costs no stripping of types: half a
 * second less, and 25 MB (measured). By way of the environment, because that is where a thread looks, and
 * where `bin/setup.mjs` has named the folder already. Where nothing can be written, every start is like the
 * first one.
 */
function keepCompiledSources(): void {
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/compiled-sources')
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
    root: join(import.meta.dirname, '..'),
    print,
    tell: (text) => process.stderr.write(text),
  })
}

function print(text: string): void {
  process.stdout.write(text)
}

/** `culvert project` names no command, but some that begin so. */
async function rejectUnknown(args: string[]): Promise<void> {
  const { commandsText } = await import('./commands/help.ts')
  const [first = ''] = args
  const alike = commandsText(first)
  if (alike !== '' && args.some(isHelpOption)) return print(alike)
  const known = alike === '' ? '"culvert help" lists them.' : `There are:\n\n${alike.trimEnd()}`
  throw new OperatorError(`Unknown command ${JSON.stringify(args.join(' '))}. ${known}`, 2)
}

/** What Culvert writes, databases and backups, is for the account that it runs as. */
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
