import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
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
  await closeServer(server, drainMs - graceMs)
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
