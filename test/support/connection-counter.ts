import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/** Counts the connections to this machine in each test of a file. */
export interface ConnectionCounter {
  readonly port: number
  readonly count: number
}

/** Listens on every address of this machine, IPv4 and IPv6, and closes each connection. */
export function prepareConnectionCounter(): ConnectionCounter {
  let server: Server
  const counter = { port: 0, count: 0 }
  beforeAll(async () => {
    server = createServer((socket) => {
      counter.count += 1
      socket.destroy()
    })
    server.listen(0, '::')
    await once(server, 'listening')
    counter.port = (server.address() as AddressInfo).port
  })
  afterAll(() => void server.close())
  beforeEach(() => {
    counter.count = 0
  })
  return counter
}
