/**
 * Holds many connections to a server, in a separate process with its own limit on open files, and reopens
 * those that the server closes. Prints one JSON line when all are open; ends when its standard input does.
 *
 *     node bench/connections/holder.ts ORIGIN PATH idle|slow COUNT SOURCE_ADDRESS
 *
 * `idle` sends one health check and then nothing; `slow` sends the head of an event and a byte of its body
 * every 3 s.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const [origin = '', path = '/', kind = 'idle', count = '1000', localAddress = '127.0.0.1'] =
  process.argv.slice(2)
const { hostname, port } = new URL(origin)
const byteEveryMs = 3_000
/** Connections opened at a time: the listen backlog is 511. */
const wave = 200

const firstBytes =
  kind === 'slow'
    ? `POST ${path} HTTP/1.1\r\nHost: culvert\r\nContent-Length: 6000\r\n\r\n{`
    : 'GET /healthz HTTP/1.1\r\nHost: culvert\r\n\r\n'

const sockets = new Set<Socket>()
let isOver = false

function open(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress })
    socket.on('connect', () => {
      sockets.add(socket)
      socket.write(firstBytes)
      resolve()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      resolve()
      sockets.delete(socket)
      if (!isOver) setTimeout(() => void open(), 100)
    })
    socket.resume()
  })
}

for (let opened = 0; opened < Number(count); opened += wave)
  await Promise.all(Array.from({ length: Math.min(wave, Number(count) - opened) }, open))
// Connections that were rejected at first are opened again.
while (sockets.size < Number(count)) await sleep(50)
process.stdout.write(`${JSON.stringify({ open: sockets.size })}\n`)

const drip = setInterval(() => {
  if (kind === 'slow') for (const socket of sockets) socket.write(' ')
}, byteEveryMs)

process.stdin.resume().on('end', () => {
  isOver = true
  clearInterval(drip)
  for (const socket of sockets) socket.destroy()
})
