import type { Server } from 'node:http'
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import type { Readiness } from '#server/readiness.ts'

const closeIdleEveryMs = 20

/**
 * Stops accepting requests and resolves once all requests in flight are answered. Connections that are still
 * open `drainMs` after the call are closed.
 *
 * Readiness fails first. If a load balancer probes it, new connections are still accepted for
 * `limits.readinessGraceMs`, so that requests are routed elsewhere before this server rejects them.
 */
export async function stopFront(
  server: Server,
  readiness: Readiness,
  drainMs: number = limits.drainMs,
): Promise<void> {
  const graceMs = readiness.isWatched() ? Math.min(limits.readinessGraceMs, drainMs) : 0
  readiness.stop()
  await sleep(graceMs)
  await acceptWaiting(server)
  await closeServer(server, drainMs - graceMs)
}

/** A tick of the event loop that ends so soon leaves hardly any time for a further connection. */
const shortTickMs = 0.1

/**
 * Resolves when the kernel has probably no connection that the server has not accepted. Closing the server
 * would reset those: a proxy like nginx answers 502 for an envelope that it has already sent on one.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let acceptedCount = 0
  const count = () => {
    acceptedCount += 1
  }
  server.on('connection', count)
  const until = performance.now() + limits.acceptWaitingMs
  let beganMs: number
  let isQuiet = false
  do {
    acceptedCount = 0
    beganMs = performance.now()
    await nextTick()
    isQuiet = acceptedCount === 0 && performance.now() - beganMs < shortTickMs
  } while (!isQuiet && beganMs < until)
  server.off('connection', count)
}

function closeServer(server: Server, cutAfterMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A kept-alive connection counts as open after its last response until it is closed.
    const idle = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs)
    const cut = setTimeout(() => server.closeAllConnections(), cutAfterMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(cut)
      resolve()
    })
  })
}
