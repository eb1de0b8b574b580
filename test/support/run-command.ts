import { OperatorError } from '#server/errors.ts'
import type { Command } from '../../bin/commands/command.ts'
import type { CommandResult } from './server-process.ts'

/** Runs a command of the operator's command line in this process: a second faster than a child process. */
export async function runCommand(
  command: Command,
  args: string[],
  variables: Record<string, string>,
): Promise<CommandResult> {
  let printed = ''
  let told = ''
  const context = {
    variables,
    root: '',
    print: (text: string) => {
      printed += text
    },
    tell: (text: string) => {
      told += text
    },
  }
  try {
    await command(args, context)
    return { code: 0, printed, told }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return { code: error.exitCode, printed, told: `${told}${error.message}\n` }
  }
}
