import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Starts a server at a free port of 127.0.0.1. Returns the port. */
export async function listenLocally(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** From here on the system gives ports to any client or server: one below stays free for its program. */
const firstGivenPort = 32_768

/** A port for a program that listens on it later. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(20_000, firstGivenPort)
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return findFreePort()
  }
  probe.close()
  return port
}
