import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listenLocally } from './listen-locally.ts'

/**
 * A server that accepts connections and sends nothing by itself, until the test ends. Returns a URL of a
 * PostgreSQL database with its address, and its connections.
 */
export async function startSilentDatabase(
  accept: (socket: Socket) => void,
): Promise<{ url: string; sockets: Socket[] }> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    accept(socket)
  })
  const port = await listenLocally(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `postgres://culvert@127.0.0.1:${port}/culvert?sslmode=disable`, sockets }
}
