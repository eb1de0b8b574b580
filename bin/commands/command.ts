import { parseArgs, type ParseArgsConfig } from 'node:util'
import { errorMessage, OperatorError } from '#server/errors.ts'

/** What a command of the operator's command line gets from the process. */
export interface CommandContext {
  /** Environment variables. */
  variables: Record<string, string | undefined>
  /** The folder of `package.json`. */
  root: string
  /** Writes to standard output: what was asked for. */
  print: (text: string) => void
  /** Writes to standard error: what a person should know besides. */
  tell: (text: string) => void
}

/** A command. Raises an `OperatorError` for what the operator can put right. */
export type Command = (args: string[], context: CommandContext) => Promise<void>

/**
 * Somebody asks how a command is called. The message is what they want to read: printed, it ends the process
 * with 0.
 */
export class HelpRequest extends Error {
  override readonly name = 'HelpRequest'
}

/** True for what asks for help after a command's words. */
export function isHelpOption(argument: string): boolean {
  return argument === '--help' || argument === '-h'
}

/**
 * `parseArgs`, with its complaint as an `OperatorError` (exit code 2) that shows how to call the command.
 * Raises a `HelpRequest` where that is what is asked for.
 */
export function readArguments<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (config.args?.some(isHelpOption) === true) throw new HelpRequest(`Usage: ${usage}\n`)
  try {
    return parseArgs(config)
  } catch (error) {
    throw new OperatorError(`${errorMessage(error)}\nUsage: ${usage}`, 2)
  }
}
