import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { errorEnvelope } from '#test/envelopes.ts'
import { prepareIngestProcess } from '#test/process-of-file.ts'
import { fixtureProject } from '#test/start-server.ts'

const { id, publicKey } = fixtureProject
const megabyte = 1_000_000
const bomb = gzipSync(Buffer.alloc(100 * megabyte))

const running = prepareIngestProcess()

async function send(body: Uint8Array | string, encoding = 'identity', route = 'envelope'): Promise<number> {
  const url = `${running.server.origin}/api/${id}/${route}/?sentry_key=${publicKey}`
  const headers = { 'content-encoding': encoding }
  const response = await fetch(url, { method: 'POST', headers, body: Buffer.from(body) })
  await response.text()
  return response.status
}

/** The peak memory of the server; 0 if the system does not report it. */
function readPeakMb(): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync(`/proc/${running.server.child.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+([0-9]+) kB$/m.exec(status)?.[1]) / 1000
}

describe('a bomb of 100 MB', () => {
  it('is 413 on every endpoint and needs little more memory than the limit', async () => {
    expect(await send(errorEnvelope())).toBe(200)
    const before = readPeakMb()
    for (const route of ['envelope', 'store']) expect(await send(bomb, 'gzip', route)).toBe(413)
    expect(readPeakMb() - before).toBeLessThan(150)
    expect(await send(errorEnvelope())).toBe(200)
  })

  it('compressed twice is decompressed once', async () => {
    expect(await send(gzipSync(bomb), 'gzip')).toBe(400)
  })

  it('sent fifty times at once needs less than 700 MB, and the server keeps answering', async () => {
    const state = { isDone: false }
    const bombs = Promise.all(Array.from({ length: 50 }, () => send(bomb, 'gzip'))).finally(
      () => (state.isDone = true),
    )
    while (!state.isDone) expect((await fetch(`${running.server.origin}/healthz`)).status).toBe(200)
    for (const status of await bombs) expect([413, 429]).toContain(status)
    expect(readPeakMb()).toBeLessThan(700)
    expect(await send(errorEnvelope())).toBe(200)
  })
})
