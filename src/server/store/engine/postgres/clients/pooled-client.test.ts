import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createConnect } from '#server/store/engine/postgres/kysely-dialect.ts'
import { ServerWatch } from '#server/store/engine/postgres/liveness/server-watch.ts'
import { createPool } from '#server/store/engine/postgres/pool.ts'
import { NamedReads } from '#server/store/engine/postgres/statements/named-reads.ts'

/** AuthenticationOk and ReadyForQuery (postgresql.org/docs/current/protocol-message-formats.html). */
const welcome = Buffer.from('5200000008000000005a0000000549', 'hex')

/** The address of a server that accepts every client, and answers no statement; and its connections. */
async function startSilentServer(): Promise<{ url: string; sockets: Socket[] }> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined).once('data', () => socket.write(welcome))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `postgres://culvert@127.0.0.1:${port}/culvert?sslmode=disable`, sockets }
}

it('a statement without an answer fails after its time-out, is not repeated, and its connection is closed', async () => {
  const { url, sockets } = await startSilentServer()
  const pool = createPool({ url, size: 4, idleMs: 30_000, answerMs: 200 })
  onTestFinished(() => pool.end())
  const watch = new ServerWatch(url)
  onTestFinished(() => watch.stop())
  const client = createConnect(pool, watch, new NamedReads(true))()
  await expect(client.query('SELECT 1', [])).rejects.toMatchObject({
    name: 'StoreUnavailableError',
    reason: 'UNREACHABLE',
  })
  client.release()
  expect(sockets).toHaveLength(1)
  await expect.poll(() => sockets[0]?.destroyed).toBe(true)
  expect(pool.totalCount).toBe(0)
})

const countSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

it('unused connections do not keep a process running', async () => {
  const { url, sockets } = await startSilentServer()
  const pool = createPool({ url, size: 4, idleMs: 30_000, answerMs: 30_000 })
  const client = await pool.connect()
  for (const socket of sockets) socket.unref()
  const usedCount = countSockets()
  client.release()
  expect(countSockets()).toBe(usedCount - 1)
  await pool.end()
  expect(countSockets()).toBe(usedCount - 1)
})
