import { OperatorError } from '#server/errors.ts'
import type { Command } from '../../bin/commands/command.ts'
import type { CommandResult } from './server-process.ts'

/** Runs a command of the operator's command line in this process: without the start of another one. */
export async function runCommand(
  command: Command,
  args: string[],
  variables: Record<string, string>,
): Promise<CommandResult> {
  let stdout = ''
  let stderr = ''
  const context = {
    variables,
    root: '',
    print: (text: string) => {
      stdout += text
    },
    report: (text: string) => {
      stderr += text
    },
  }
  try {
    await command(args, context)
    return { code: 0, stdout, stderr }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return { code: error.exitCode, stdout, stderr: `${stderr}${error.message}\n` }
  }
}
