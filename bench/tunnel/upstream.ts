/**
 * An upstream for the tunnel's benchmark, as a process of its own. Takes everything; `slow` answers after a second. Prints its
 * port, and on every line that it reads how many envelopes it has got.
 *
 *     node bench/tunnel/upstream.ts up|slow
 */
import { createServer, type ServerResponse } from 'node:http'

const delayMs = process.argv[2] === 'slow' ? 1_000 : 0
let count = 0
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    count += 1
    if (delayMs === 0) answer(response)
    else setTimeout(answer, delayMs, response)
  })
})

function answer(response: ServerResponse): void {
  response.end('{"id":"ok"}')
}

server.listen(0, '127.0.0.1', () => {
  const bound = server.address()
  console.log(typeof bound === 'object' ? bound?.port : 0)
})
process.stdin.on('data', () => console.log(count))
