/**
 * An upstream for the tunnel's benchmark, in its own process: `up` accepts everything, `slow` does so after
 * that many milliseconds (1,000), and `failing` alternates between 503 and 429. Like the load generator it
 * uses raw sockets, so that it takes as little as possible from the server's cores. Prints its port, and for
 * every line it reads the number of received envelopes.
 *
 * node bench/tunnel/upstream.ts up|slow|failing [DELAY_MS]
 */
import { createServer, type Socket } from 'node:net'
import { RequestCounter } from './request-counter.ts'

const [, , kind = 'up', delay = '1000'] = process.argv
const delayMs = kind === 'slow' ? Number(delay) : 0
const taken = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"id":"ok"}')
const rejected = ['503 Service Unavailable', '429 Too Many Requests'].map((status) =>
  Buffer.from(`HTTP/1.1 ${status}\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n`),
)
let count = 0

function answer(socket: Socket): void {
  if (socket.writable) socket.write((kind === 'failing' && rejected[count % 2]) || taken)
}

const server = createServer({ noDelay: true }, (socket) => {
  const requests = new RequestCounter()
  socket.on('data', (chunk) => {
    for (let ended = requests.add(chunk); ended > 0; ended -= 1) {
      count += 1
      if (delayMs === 0) answer(socket)
      else setTimeout(answer, delayMs, socket)
    }
  })
  // A disconnected client sends its envelope again; only complete envelopes are counted.
  socket.on('error', () => socket.destroy())
})

server.listen(0, '127.0.0.1', () => {
  const bound = server.address()
  console.log(typeof bound === 'object' ? bound?.port : 0)
})
process.stdin.on('data', () => console.log(count))
