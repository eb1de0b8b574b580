/**
 * An upstream for the tunnel's benchmark, as a process of its own: `up` takes everything, `slow` does so after so many milliseconds
 * (1,000), and `failing` answers 503 and 429 by turns. Prints its port, and on every line that it reads how many envelopes it has got.
 *
 *     node bench/tunnel/upstream.ts up|slow|failing [DELAY_MS]
 */
import { createServer, type ServerResponse } from 'node:http'

const [, , kind = 'up', delay = '1000'] = process.argv
const delayMs = kind === 'slow' ? Number(delay) : 0
let count = 0
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    count += 1
    if (delayMs === 0) answer(response)
    else setTimeout(answer, delayMs, response)
  })
})

function answer(response: ServerResponse): void {
  if (kind !== 'failing') response.end('{"id":"ok"}')
  else response.writeHead(count % 2 === 0 ? 503 : 429, { 'retry-after': '1' }).end()
}

server.listen(0, '127.0.0.1', () => {
  const bound = server.address()
  console.log(typeof bound === 'object' ? bound?.port : 0)
})
process.stdin.on('data', () => console.log(count))
