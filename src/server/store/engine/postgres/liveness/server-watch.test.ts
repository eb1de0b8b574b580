import { describe, expect, it, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import { createConnect } from '#server/store/engine/postgres/kysely-dialect.ts'
import { createPool } from '#server/store/engine/postgres/pool.ts'
import { NamedReads } from '#server/store/engine/postgres/statements/named-reads.ts'
import { SyncConnection } from '#server/store/engine/postgres/sync-connection.ts'
import { startSilentDatabase } from '#test/silent-database.ts'
import { pause } from '#test/waiting.ts'
import { probeServer } from './server-probe.ts'
import { ServerWatch } from './server-watch.ts'

/** A server that is silent until `speak`. From then on it closes each connection, as one that is starting. */
async function startSilentServer() {
  let isSilent = true
  const { url } = await startSilentDatabase((socket) => {
    if (!isSilent) socket.destroy()
  })
  return {
    url,
    speak() {
      isSilent = false
    },
  }
}

const silentMs = limits.postgresProbeAfterMs + limits.postgresProbeMs
/** Far below the time for which a server without a watch would block, even on a busy machine. */
const shortMs = limits.postgresAnswerMs / 2
const silence = { message: 'the server does not answer' }

describe('a server that accepts connections and answers nothing', () => {
  it('does not answer a probe, unlike one that closes connections', async () => {
    const server = await startSilentServer()
    expect(await probeServer(server.url, 100)).toBe('silent')
    server.speak()
    expect(await probeServer(server.url, 10_000)).toBe('answers')
  })

  it('fails reads after a short time, further ones at once, and none after it has answered', async () => {
    const server = await startSilentServer()
    const watch = new ServerWatch(server.url)
    onTestFinished(() => watch.stop())
    const pool = createPool({ url: server.url, size: 2, idleMs: 30_000, answerMs: 60_000 })
    onTestFinished(() => pool.end())
    const connect = createConnect(pool, { watch, reads: new NamedReads(true) })
    const unavailable = { name: 'StoreUnavailableError', reason: 'UNREACHABLE', cause: silence }
    const beganAt = performance.now()
    await Promise.all(
      Array.from({ length: 5 }, () =>
        expect(connect().query('SELECT 1', [])).rejects.toMatchObject(unavailable),
      ),
    )
    expect(performance.now() - beganAt).toBeLessThan(shortMs)
    expect(() => watch.requireAnswers()).toThrow(silence.message)
    const failedAt = performance.now()
    await expect(connect().query('SELECT 1', [])).rejects.toMatchObject(unavailable)
    // Another probe would take as long as the first.
    expect(performance.now() - failedAt).toBeLessThan(silentMs)
    server.speak()
    await expect.poll(() => watch.requireAnswers()).toBeUndefined()
  })

  it('fails no read while others are answered: a pooler has a queue', async () => {
    const server = await startSilentServer()
    const watch = new ServerWatch(server.url)
    onTestFinished(() => watch.stop())
    const { promise, resolve } = Promise.withResolvers<string>()
    const waiting = watch.during(() => promise)
    const until = performance.now() + 1.5 * silentMs
    while (performance.now() < until) await watch.during(() => pause(50))
    expect(watch.requireAnswers()).toBeUndefined()
    resolve('late')
    expect(await waiting).toBe('late')
  })

  it('blocks a thread for a short time only, and not again', async () => {
    const server = await startSilentServer()
    const connection = new SyncConnection(server.url, { lockWaitMs: 50 })
    onTestFinished(() => connection.close())
    const beganAt = performance.now()
    expect(() => connection.exec('BEGIN IMMEDIATE')).toThrow(silence.message)
    expect(performance.now() - beganAt).toBeLessThan(shortMs)
    expect(connection.isTransaction).toBe(false)
    const failedAt = performance.now()
    expect(() => connection.query('SELECT 1', [])).toThrow(silence.message)
    // Another probe would take as long as the first.
    expect(performance.now() - failedAt).toBeLessThan(silentMs)
  })
})
