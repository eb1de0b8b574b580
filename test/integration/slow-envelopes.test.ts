import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { mainThreadCpuMs } from '#test/cpu-time.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { prepareIngestProcess } from '#test/process-of-file.ts'

const running = prepareIngestProcess()

const namesWithTokens = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`Bearer aaaaaaaaaaaa${100_000 + at}`, 1]))

const trace = '"stacktrace":{"frames":['

/** A few kB each, compressed, which once took 17 s, 24 s, 8 s and 2 s. */
const payloads: Record<string, string> = {
  '4,000 names that end up as one': JSON.stringify({ extra: namesWithTokens(4_000) }),
  '20,000 names that end up as one': JSON.stringify({ extra: namesWithTokens(20_000) }),
  'traces within traces': `{${`${trace}{`.repeat(10_000)}${'}]}'.repeat(10_000)}}`,
  'a message with many parameters': JSON.stringify({
    logentry: {
      message: 'password=%s '.repeat(700),
      params: Array.from({ length: 90_000 }, (_, at) => (at < 700 ? `q${at}w` : 'abcdefgh')),
    },
  }),
  'a cookie of many parts': JSON.stringify({ request: { cookies: 'a;'.repeat(500_000) } }),
}

it.each(Object.entries(payloads))('%s delays no other request', async (_, payload) => {
  const body = gzipSync(`{}\n{"type":"event"}\n${payload}`)
  const readCpuMs = () => mainThreadCpuMs(running.server.child.pid)
  const sending = { isDone: false }
  const sent = postEnvelope(running.server.origin, body, { headers: { 'content-encoding': 'gzip' } }).finally(
    () => (sending.isDone = true),
  )
  let longestMs = 0
  while (!sending.isDone) {
    const startedAt = readCpuMs()
    expect((await fetch(`${running.server.origin}/healthz`)).status).toBe(200)
    longestMs = Math.max(longestMs, readCpuMs() - startedAt)
  }
  expect((await sent).status).toBe(200)
  // Of the CPU: the machine may be busy with others. About 250 ms of the server at most.
  expect(longestMs).toBeLessThan(1_000)
})
