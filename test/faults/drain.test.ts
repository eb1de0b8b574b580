import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '#server/store/store.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { exchangeRaw } from '#test/raw-exchange.ts'
import { runCulvert, type ServerProcess, startServerProcess } from '#test/server-process.ts'
import { fixtureProject } from '#test/start-server.ts'
import { storedEventIds } from '#test/stored-events.ts'
import { makeTestFolder } from '#test/test-store.ts'

const { id, name, publicKey } = fixtureProject
const path = `/api/${id}/envelope/?sentry_key=${publicKey}`
const uploadCount = 500

let dataDir: string
let server: ServerProcess
beforeEach(async () => {
  dataDir = await makeTestFolder()
  const args = ['project', 'add', name, '--id', String(id), '--key', publicKey]
  await runCulvert(args, { CULVERT_DATA_DIR: dataDir })
  server = await startServerProcess({ dataDir })
})
afterEach(async () => {
  if (server.child.exitCode === null) await server.end('SIGKILL')
})

interface Upload {
  eventId: string
  socket: Socket
  /** The complete answer, until the server closes the connection. */
  answer: Promise<string>
  finish(): void
}

/** Sends the head and half of the body. */
async function beginUpload(): Promise<Upload> {
  const eventId = randomEventId()
  const body = errorEnvelope({ eventId })
  const { hostname, port } = new URL(server.origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`)
  socket.write(body.slice(0, 40))
  return { eventId, socket, answer: text(socket), finish: () => void socket.write(body.slice(40)) }
}

/** The server reads everything sent before, and then answers this request. */
async function waitUntilRead(): Promise<void> {
  await fetch(`${server.origin}/healthz`)
}

function getRequest(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`
}

function hasLogged(message: string): boolean {
  return server.log.some((entry) => entry['msg'] === message)
}

async function readStoredIds(): Promise<string[]> {
  const store = await openStore({ path: join(dataDir, 'culvert.db'), clock: Date.now })
  try {
    return await storedEventIds(store, id)
  } finally {
    await store.close()
  }
}

describe('SIGTERM while 500 slow uploads are in flight', () => {
  it('answers and stores each of them, accepts no new ones, and exits with 0 however often the signal is sent', async () => {
    const uploads = await Promise.all(Array.from({ length: uploadCount }, beginUpload))
    await waitUntilRead()
    const startedAt = performance.now()
    const ended = server.end('SIGTERM')
    await expect.poll(() => hasLogged('stopping')).toBe(true)
    await expect.poll(() => fetch(server.origin).catch(() => 'rejected')).toBe('rejected')
    server.child.kill('SIGTERM')
    for (const [at, upload] of uploads.entries()) setTimeout(() => upload.finish(), at)
    for (const { answer, eventId } of uploads) {
      expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      expect(await answer).toContain(`{"id":"${eventId}"}`)
      expect(await answer).toMatch(/\r\nconnection: close\r\n/i)
    }
    expect(await ended).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(hasLogged('stopped')).toBe(true)
    expect(await readStoredIds()).toEqual(uploads.map(({ eventId }) => eventId).toSorted())
  })

  it('does not wait forever for uploads that never end', async () => {
    const hanging = await beginUpload()
    hanging.socket.on('error', () => undefined)
    hanging.answer.catch(() => undefined)
    await waitUntilRead()
    const startedAt = performance.now()
    expect(await server.end('SIGTERM')).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(await readStoredIds()).toEqual([])
  })
})

describe('SIGTERM behind a load balancer', () => {
  it('fails readiness first while it still accepts requests, then refuses connections', async () => {
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200)
    const ended = server.end('SIGTERM')
    await expect.poll(() => hasLogged('stopping')).toBe(true)
    const check = await exchangeRaw(server.origin, getRequest('/readyz'))
    expect(check).toMatch(
      /^HTTP\/1\.1 503 [^]*connection: close\r\n[^]*{"status":"not ready","problems":\["stopping"\]}$/i,
    )
    expect(await exchangeRaw(server.origin, getRequest('/healthz'))).toMatch(/^HTTP\/1\.1 200 /)
    const late = await beginUpload()
    late.finish()
    expect(await late.answer).toMatch(/^HTTP\/1\.1 200 [^]*connection: close\r\n/i)
    expect(await ended).toBe(0)
    await expect(fetch(server.origin)).rejects.toThrow('fetch failed')
    expect(await readStoredIds()).toEqual([late.eventId])
  })
})
