#!/usr/bin/env node
import { join } from 'node:path'
import { OperatorError } from '#server/errors.ts'
import type { Command } from './commands/command.ts'
import { help } from './commands/help.ts'
import { projectAdd } from './commands/project-add.ts'
import { projectList } from './commands/project-list.ts'
import { start } from './commands/start.ts'

/** The operator's command line: finds the command that the arguments name and runs it. */

const commands: Record<string, Command> = {
  help,
  '--help': help,
  '-h': help,
  start,
  'project add': projectAdd,
  'project list': projectList,
}

async function main(args: string[]): Promise<void> {
  const [first = 'help', second = ''] = args
  const twoWords = `${first} ${second}`
  const name = Object.hasOwn(commands, twoWords) ? twoWords : first
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    throw new OperatorError(
      `There is no command ${JSON.stringify(args.join(' '))}. "culvert help" lists them.`,
      2,
    )
  }
  await command(args.slice(name === twoWords ? 2 : 1), {
    variables: process.env,
    root: join(import.meta.dirname, '..'),
    print: (text) => process.stdout.write(text),
    tell: (text) => process.stderr.write(text),
  })
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof OperatorError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = error.exitCode
}
