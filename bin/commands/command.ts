import { parseArgs, type ParseArgsConfig } from 'node:util'
import { errorMessage, OperatorError } from '#server/errors.ts'

/** The environment of a command. */
export interface CommandContext {
  /** Environment variables. */
  variables: Record<string, string | undefined>
  /** The folder of `package.json`. */
  root: string
  /** Writes the result to standard output. */
  print: (text: string) => void
  /** Writes messages to standard error. */
  report: (text: string) => void
  /** True if standard error is a terminal, in which a line can be redrawn. */
  isTerminal?: boolean
}

/** A command. Throws an `OperatorError` for problems that the operator can solve. */
export type Command = (args: string[], context: CommandContext) => Promise<void>

/** The user requested help. The message is the help text; the process prints it and exits with 0. */
export class HelpRequest extends Error {
  override readonly name = 'HelpRequest'
}

/** True for the help options. */
export function isHelpOption(argument: string): boolean {
  return argument === '--help' || argument === '-h'
}

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * Parses the options and the other arguments of a command. Throws an `OperatorError` (exit code 2) with the
 * usage if they are invalid, and a `HelpRequest` if they request help.
 */
export function readArguments<const Known extends Options>(usage: string, args: string[], options: Known) {
  return parse(usage, { args, allowPositionals: true, options })
}

/** The same for a command that has only options. */
export function readOptions<const Known extends Options>(usage: string, args: string[], options: Known) {
  return parse(usage, { args, options })
}

function parse<T extends ParseArgsConfig>(usage: string, config: T): ReturnType<typeof parseArgs<T>> {
  if (config.args?.some(isHelpOption) === true) throw new HelpRequest(`Usage: ${usage}\n`)
  try {
    return parseArgs(config)
  } catch (error) {
    throw new OperatorError(`${errorMessage(error)}\nUsage: ${usage}`, 2)
  }
}
