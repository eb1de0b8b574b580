import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'

const logEveryMs = 60_000
const makeRoomEveryMs = 1_000

/** The dependencies of the limit other than the server. */
export interface ConnectionLimitOptions {
  log: Pick<Log, 'warn'>
  /** Unix milliseconds. */
  clock: () => number
  /** Maximum number of open files and sockets of this process: the operating system's limit. */
  openFiles: number
  /** Maximum number of connections for the available memory. */
  connections: number
  /** The network of a connection; undefined for a proxy, behind which are many clients. */
  findNetwork: (remoteAddress: string | undefined) => string | undefined
}

/**
 * Limits the connections of a server to what memory and open files allow. A surplus connection is closed
 * immediately and without an answer: an SDK may retry after a broken connection, while every 5xx loses the
 * event. New connections replace idle ones; it is logged at most once a minute. A single network gets at most
 * half of the connections, so that it cannot lock out all others.
 */
export function limitConnections(
  server: Server,
  { log, clock, openFiles, connections, findNetwork }: ConnectionLimitOptions,
): void {
  const max = Math.min(maxConnectionsFor(openFiles), connections)
  let droppedCount = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  let madeRoomAt = Number.NEGATIVE_INFINITY
  server.maxConnections = max
  server.on('drop', noteDropped)
  const counts = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const network = findNetwork(socket.remoteAddress)
    if (network === undefined) return
    const count = counts.get(network) ?? 0
    if (count >= Math.max(1, Math.floor(max / 2))) {
      noteDropped()
      socket.destroy()
      return
    }
    counts.set(network, count + 1)
    socket.once('close', () => release(network))
  })

  function release(network: string): void {
    const left = (counts.get(network) ?? 0) - 1
    if (left > 0) counts.set(network, left)
    else counts.delete(network)
  }

  function noteDropped(): void {
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
  }
  // The system retries a connection that it cannot open (EMFILE, ENFILE, ENOBUFS); without a listener the
  // process would end.
  let failedAt = Number.NEGATIVE_INFINITY
  server.on('error', (error) => {
    const now = clock()
    if (!server.listening || now - failedAt < logEveryMs) return
    failedAt = now
    log.warn({ err: error, openFiles }, 'a connection could not be accepted')
  })
}

/** Fewer than the allowed open files: the store, the log and files being sent also need some. */
export function maxConnectionsFor(openFiles: number): number {
  const forOthers = limits.reservedFiles + Math.min(Math.ceil(openFiles / 100), limits.connections)
  return Math.max(1, Math.min(limits.connections, openFiles - forOthers))
}

const reportSchema = v.object({
  userLimits: v.object({ open_files: v.object({ soft: v.union([v.number(), v.literal('unlimited')]) }) }),
})

/** The operating system's limit of open files for this process; infinite if there is none, or unknown. */
export function readOpenFilesLimit(): number {
  const report = v.safeParse(reportSchema, process.report.getReport())
  if (!report.success) return Number.POSITIVE_INFINITY
  const { soft } = report.output.userLimits.open_files
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : soft
}
