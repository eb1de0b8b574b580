import { expect, it, onTestFinished } from 'vitest'
import { createConnect } from '#server/store/engine/postgres/kysely-dialect.ts'
import { ServerWatch } from '#server/store/engine/postgres/liveness/server-watch.ts'
import { createPool } from '#server/store/engine/postgres/pool.ts'
import { NamedReads } from '#server/store/engine/postgres/statements/named-reads.ts'
import { startSilentDatabase } from '#test/silent-database.ts'

/** AuthenticationOk and ReadyForQuery (postgresql.org/docs/current/protocol-message-formats.html). */
const welcome = Buffer.from('5200000008000000005a0000000549', 'hex')

/** Accepts every client, and answers no statement. */
const startServer = () => startSilentDatabase((socket) => socket.once('data', () => socket.write(welcome)))

it('a statement without an answer fails after its time-out, is not repeated, and its connection is closed', async () => {
  const { url, sockets } = await startServer()
  const pool = createPool({ url, size: 4, idleMs: 30_000, answerMs: 200 })
  onTestFinished(() => pool.end())
  const watch = new ServerWatch(url)
  onTestFinished(() => watch.stop())
  const client = createConnect(pool, { watch, reads: new NamedReads(true) })()
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
  const { url, sockets } = await startServer()
  const pool = createPool({ url, size: 4, idleMs: 30_000, answerMs: 30_000 })
  const client = await pool.connect()
  for (const socket of sockets) socket.unref()
  const usedCount = countSockets()
  client.release()
  expect(countSockets()).toBe(usedCount - 1)
  await pool.end()
  expect(countSockets()).toBe(usedCount - 1)
})
