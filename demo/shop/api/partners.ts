import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

/** The other companies' servers that the shop calls. */
export interface Partners {
  origin: string
  /** A loopback port on which no server listens. */
  closedPort: number
  close(): void
}

/** Starts the partners on loopback ports: a carrier in maintenance, and a tax office that never answers. */
export async function startPartners(): Promise<Partners> {
  const closed = createServer()
  const closedPort = await listen(closed)
  closed.close()
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/tax/') === true) return
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Scheduled maintenance</title>')
  })
  const port = await listen(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    closedPort,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Makes a server listen on a free loopback port. Returns the port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
