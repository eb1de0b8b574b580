import type { Server } from 'node:http'

const closeIdleEveryMs = 20

/**
 * Stops taking connections and resolves once every request in flight is answered. What has not finished after
 * `drainMs` is cut off.
 */
export function stopFront(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A kept-alive connection whose last answer is out counts as open until somebody closes it.
    const idle = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs)
    const cut = setTimeout(() => server.closeAllConnections(), drainMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(cut)
      resolve()
    })
  })
}
