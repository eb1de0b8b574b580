import type { Server } from 'node:http'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'

const logEveryMs = 60_000
const makeRoomEveryMs = 1_000

/** What the limit needs beside the server. */
export interface ConnectionLimitOptions {
  log: Pick<Log, 'warn'>
  /** Unix milliseconds. */
  clock: () => number
  /** Files and sockets this process may have open: the operating system's limit. */
  openFiles: number
  /** Connections that the memory has room for. */
  connections: number
}

/**
 * Keeps a server from taking more connections than memory and open files allow. One too many is closed at once and
 * without an answer: to an SDK a broken connection may be worth another try, while every 5xx costs the event. Idle
 * connections make room for new ones; the log hears of it once a minute at most.
 */
export function limitConnections(
  server: Server,
  { log, clock, openFiles, connections }: ConnectionLimitOptions,
): void {
  const max = Math.min(maxConnectionsFor(openFiles), connections)
  let droppedCount = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  let madeRoomAt = Number.NEGATIVE_INFINITY
  server.maxConnections = max
  server.on('drop', () => {
    const now = clock()
    droppedCount += 1
    if (now - madeRoomAt >= makeRoomEveryMs) {
      madeRoomAt = now
      server.closeIdleConnections()
    }
    if (now - loggedAt < logEveryMs) return
    log.warn({ droppedCount, maxConnections: max, openFiles }, 'too many connections, new ones are closed')
    loggedAt = now
    droppedCount = 0
  })
  // What the system cannot open (EMFILE, ENFILE, ENOBUFS) it tries again; without a listener the process would end.
  let failedAt = Number.NEGATIVE_INFINITY
  server.on('error', (error) => {
    const now = clock()
    if (!server.listening || now - failedAt < logEveryMs) return
    failedAt = now
    log.warn({ err: error, openFiles }, 'a connection could not be taken')
  })
}

/** Fewer than the files that may be open: the store, the log and files being sent need some, too. */
export function maxConnectionsFor(openFiles: number): number {
  const forOthers = limits.reservedFiles + Math.min(Math.ceil(openFiles / 100), limits.connections)
  return Math.max(1, Math.min(limits.connections, openFiles - forOthers))
}

const reportSchema = v.object({
  userLimits: v.object({ open_files: v.object({ soft: v.union([v.number(), v.literal('unlimited')]) }) }),
})

/** The operating system's limit on open files of this process; infinite where there is none or it is not known. */
export function readOpenFilesLimit(): number {
  const report = v.safeParse(reportSchema, process.report.getReport())
  if (!report.success) return Number.POSITIVE_INFINITY
  const { soft } = report.output.userLimits.open_files
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : soft
}
