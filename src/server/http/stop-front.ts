import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import type { Readiness } from '#server/readiness.ts'

const closeIdleEveryMs = 20

/**
 * Stops taking requests and resolves once every one in flight is answered. What has not finished `drainMs`
 * after the call is cut off.
 *
 * Readiness fails first. Where somebody watches it, new connections are still taken for
 * `limits.readinessGraceMs`, so that they are sent elsewhere before this server refuses them.
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
    // A kept-alive connection whose last answer is out counts as open until somebody closes it.
    const idle = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs)
    const cut = setTimeout(() => server.closeAllConnections(), cutAfterMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(cut)
      resolve()
    })
  })
}
