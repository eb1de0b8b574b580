import { writeSync } from 'node:fs'
import { pino, type DestinationStream } from 'pino'
import { limits } from '#server/limits.ts'

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
 * A logger that writes one JSON object a line to standard output. Facts are data, so nothing that came from
 * outside can forge a line; an `err` fact is written with its stack. Lines that cannot be written, because
 * the disk is full, wait for those after them, up to `limits.logBufferBytes`; nothing fails because of them.
 */
export function createLog(level: LogLevel): Log {
  const timestamp = pino.stdTimeFunctions.isoTime
  return pino({ level, base: { pid: process.pid }, timestamp }, createLogOutput(process.stdout.fd))
}

/**
 * Pino's own output throws at whoever logs when a write fails, or tries again for ever with the event loop in
 * hand.
 */
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
        // Tried again with the next line.
      }
    },
  }
}
