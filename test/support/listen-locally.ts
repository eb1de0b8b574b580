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

/** A port that is free now. */
export async function findFreePort(): Promise<number> {
  const probe = createServer()
  const port = await listenLocally(probe)
  probe.close()
  return port
}
