import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { handleIngestRequest } from '#server/http/web.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'

const { id, publicKey } = fixtureProject
const path = `/api/${id}/envelope/?sentry_key=${publicKey}`

const server = await startServer()
afterAll(() => server.stop())

const cases: [string, string, RequestInit][] = [
  ['an event', path, { method: 'POST', body: errorEnvelope({ eventId: randomEventId() }) }],
  [
    'a compressed one',
    path,
    {
      method: 'POST',
      body: gzipSync(errorEnvelope({ eventId: randomEventId() })),
      headers: { 'content-encoding': 'gzip' },
    },
  ],
  [
    'a bomb',
    path,
    { method: 'POST', body: gzipSync(Buffer.alloc(60_000_000)), headers: { 'content-encoding': 'gzip' } },
  ],
  ['too much on the wire', path, { method: 'POST', body: Buffer.alloc(20_000_001) }],
  ['broken framing', path, { method: 'POST', body: 'nonsense' }],
  ['no key', `/api/${id}/envelope/`, { method: 'POST', body: '{}' }],
  ['a preflight', path, { method: 'OPTIONS' }],
  ['GET', path, { method: 'GET' }],
  ['HEAD', path, { method: 'HEAD' }],
  ['doubled slashes', `//api//${id}/envelope?sentry_key=${publicKey}`, { method: 'POST', body: '{}' }],
  [
    'a foreign tunnel request',
    '/monitoring?o=1&p=42',
    { method: 'POST', body: '{}', headers: { origin: 'https://evil.example' } },
  ],
]

describe('the Web handler of ingest', () => {
  it.each(cases)('answers like the Node front: %s', async (_what, target, init) => {
    const url = `${server.origin}${target}`
    const front = await fetch(url, init)
    const web = await answerOf(new Request(url, init))
    expect(web.status).toBe(front.status)
    expect(await web.text()).toBe(await front.text())
    for (const [name, value] of web.headers) expect([name, front.headers.get(name)]).toEqual([name, value])
  })

  it('passes every other path to the application', () => {
    for (const other of ['/', '/api/42/other/', '/api/0/', '/monitoringx']) {
      expect(handleIngestRequest(server.services, new Request(`${server.origin}${other}`))).toBeUndefined()
    }
  })
})

async function answerOf(request: Request): Promise<Response> {
  const answered = handleIngestRequest(server.services, request)
  if (answered === undefined) throw new Error(`${request.url} is not an ingest endpoint`)
  return answered
}
