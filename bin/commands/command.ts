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

/** `parseArgs`, with its complaint as an `OperatorError` (exit code 2) that shows how to call the command. */
export function readArguments<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new OperatorError(`${errorMessage(error)}\nUsage: ${usage}`, 2)
  }
}
