import { pino } from 'pino'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** The part of a logger that Culvert uses: an object of facts, then a fixed sentence. */
export interface Log {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/**
 * A logger that writes one JSON object a line to standard output. Facts are data, so nothing that came from outside
 * can forge a line; an `err` fact is written with its stack.
 */
export function createLog(level: LogLevel): Log {
  return pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime })
}
