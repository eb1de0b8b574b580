import { writeSync } from 'node:fs'
import { pino, type DestinationStream } from 'pino'
import { limits } from '#server/limits.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** The subset of a logger that Culvert uses: structured facts and a constant message. */
export interface Log {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/**
 * Writes one JSON object per line to standard output. External data is only in facts, so it cannot forge a
 * line. `err` includes the stack. Lines that cannot be written because the disk is full are buffered up to
 * `limits.logBufferBytes`; logging never throws.
 */
export function createLog(level: LogLevel): Log {
  const timestamp = pino.stdTimeFunctions.isoTime
  return pino({ level, base: { pid: process.pid }, timestamp }, createLogOutput(process.stdout.fd))
}

/** Pino's own output throws if a write fails, or blocks the event loop with retries. */
function createLogOutput(fd: number): DestinationStream {
  let waiting = Buffer.alloc(0)
  return {
    write(line) {
      const bytes = Buffer.from(line)
      if (waiting.byteLength + bytes.byteLength <= limits.logBufferBytes) {
        waiting = waiting.byteLength === 0 ? bytes : Buffer.concat([waiting, bytes])
      }
      try {
        while (waiting.byteLength > 0) waiting = waiting.subarray(writeSync(fd, waiting))
      } catch {
        // The next line retries.
      }
    },
  }
}
