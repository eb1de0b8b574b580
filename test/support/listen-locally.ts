import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'

/** Starts a server at 127.0.0.1, by default at a free port. Returns the port. */
export async function listenLocally(server: Server, onPort = 0): Promise<number> {
  server.listen(onPort, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** A running HTTP server. */
export interface LocalServer {
  port: number
  /** `http://127.0.0.1:PORT` */
  origin: string
  /** Stops the server and ends its connections. */
  close: () => Promise<void>
}

/** Starts an HTTP or HTTPS server at 127.0.0.1, by default at a free port. */
export async function serveLocally(
  server: Server & Pick<HttpServer, 'closeAllConnections'>,
  onPort = 0,
): Promise<LocalServer> {
  const port = await listenLocally(server, onPort)
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** From here on the system gives ports to any client or server: one below stays free for its program. */
const firstGivenPort = 32_768

/** A port for a program that listens on it later. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(20_000, firstGivenPort)
  const probe = createServer()
  try {
    await listenLocally(probe, port)
  } catch {
    return findFreePort()
  }
  probe.close()
  return port
}
