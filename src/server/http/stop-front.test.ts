import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { stopFront } from './stop-front.ts'

const readiness = { isStopping: false, stop: () => undefined, findProblems: () => Promise.resolve([]) }

it('answers requests on connections that the kernel, but not yet the server, has accepted when it stops', async () => {
  const server = createServer((_request, response) => void response.end('done')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await nextTick()
  const answers = Array.from({ length: 20 }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    return text(socket)
  })
  const stopped = stopFront(server, { ...readiness, isWatched: () => false })
  // Timers are due before the event loop accepts the connections.
  const until = performance.now() + 5
  process.nextTick(() => {
    while (performance.now() < until);
  })
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*done/)
  await stopped
})
