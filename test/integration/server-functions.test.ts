import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { listServerFunctionIds } from '#test/built-console.ts'
import { postChunked } from '#test/chunked-post.ts'
import { prepareConsoleProcess } from '#test/process-of-file.ts'
import type { ServerProcess } from '#test/server-process.ts'

const running = prepareConsoleProcess()
let functionIds: string[]

beforeAll(() => {
  functionIds = listServerFunctionIds(running.folder)
})

const call = (id: string, init: RequestInit = {}, query = '') =>
  fetch(`${running.server.origin}/_serverFn/${id}${query}`, {
    ...init,
    headers: {
      'x-tsr-serverfn': 'true',
      cookie: running.cookie,
      ...(init.headers as Record<string, string> | undefined),
    },
  })
const own = { 'sec-fetch-site': 'same-origin' }

describe('a server function', () => {
  it("answers Culvert's own pages, uncached", async () => {
    const answers = await Promise.all(functionIds.map((id) => call(id, { headers: own })))
    const good = answers.filter(({ status }) => status === 200)
    expect(good.length).toBeGreaterThan(0)
    for (const { headers } of good) expect(headers.get('cache-control')).toBe('no-store')
  })

  it.each<[string, Record<string, string>]>([
    ['a page elsewhere', { 'sec-fetch-site': 'cross-site' }],
    ['a page on a sibling host', { 'sec-fetch-site': 'same-site' }],
    ['an address typed in', { 'sec-fetch-site': 'none' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['a foreign referer', { referer: 'https://evil.example/' }],
    ['no header at all', {}],
  ])('rejects %s', async (_what, headers) => {
    for (const id of functionIds) {
      for (const method of ['GET', 'POST']) {
        const response = await call(id, { method, headers })
        expect([response.status, await response.text()]).toEqual([403, 'Forbidden'])
      }
    }
  })

  it('called with invalid input leaves no line in the log', async () => {
    const [lines, stderr] = [running.server.log.length, running.server.stderr()]
    const statuses = new Set<number>()
    for (let count = 0; count < 300; count += 1) {
      const id = functionIds[count % functionIds.length] ?? ''
      const headers = { ...own, 'content-type': 'application/json', cookie: '' }
      const answer = await call(id, { method: 'POST', headers, body: '{"t":' })
      await answer.arrayBuffer()
      statuses.add(answer.status)
    }
    expect([...statuses].filter((status) => status === 200 || status >= 500)).toEqual([])
    expect(running.server.log.slice(lines)).toEqual([])
    expect(running.server.stderr()).toBe(stderr)
  })

  it.each(['nothing', 'constructor', '__proto__', '0'.repeat(16), '%00', 'a/b', 'x%22%3E%3Cscript%3E'])(
    'that is unknown (%s) is 404 and is not repeated',
    async (id) => {
      const before = running.server.log.length
      const response = await call(id, { headers: own })
      expect([response.status, await response.json()]).toEqual([404, { detail: 'not found' }])
      expect(running.server.log.slice(before)).toEqual([])
    },
  )

  it('without a name is 404', async () => {
    expect((await call('', { headers: own })).status).toBe(404)
  })

  it.each([
    '{',
    'null',
    '[]',
    '"text"',
    '17',
    '{"t":99}',
    '{"t":10,"i":0}',
    '{"__proto__":1}',
    'a'.repeat(10_000),
  ])('with the payload %j is 4xx, logs nothing and does not repeat it', async (payload) => {
    const before = running.server.log.length
    for (const id of functionIds) {
      const response = await call(id, { headers: own }, `?payload=${encodeURIComponent(payload)}`)
      const text = await response.text()
      expect([payload, [200, 400, 404, 405].includes(response.status)]).toEqual([payload, true])
      expect(text).not.toMatch(/Syntax|Unexpected|Seroval|stack/i)
      const headers = { ...own, 'content-type': 'application/json' }
      const posted = await call(id, { method: 'POST', headers, body: payload })
      expect([payload, [400, 405].includes(posted.status)]).toEqual([payload, true])
      expect(await posted.text()).not.toMatch(/Syntax|Unexpected|Seroval|stack/i)
    }
    expect(running.server.log.slice(before)).toEqual([])
  })

  it('accepts only its own method: GET to read, POST to change', async () => {
    const allowed = await Promise.all(
      functionIds.map(async (id) => {
        const rejected = await call(id, { method: 'DELETE', headers: own })
        const allow = rejected.headers.get('allow') ?? ''
        const other = await call(id, { method: allow === 'GET' ? 'POST' : 'GET', headers: own })
        expect([rejected.status, other.status, other.headers.get('allow')]).toEqual([405, 405, allow])
        return allow
      }),
    )
    expect(new Set(allowed)).toEqual(new Set(['GET', 'POST']))
  })

  it('accepts at most 256 kB, with and without a Content-Length', async () => {
    const headers = { ...own, 'content-type': 'application/json', cookie: running.cookie }
    const statuses = await Promise.all(
      functionIds.map(async (id) => {
        const { status } = await call(id, { method: 'POST', headers, body: ' '.repeat(300_000) })
        const url = `${running.server.origin}/_serverFn/${id}`
        return [status, await postChunked(url, { headers, byteCount: 300_000 })]
      }),
    )
    const ofChanges = statuses.filter(([status]) => status !== 405)
    expect(new Set(ofChanges.flat())).toEqual(new Set([413]))
  })

  it('answers 404 for an address that is too long', async () => {
    const before = running.server.log.length
    expect(
      (
        await fetch(`${running.server.origin}/events/${'a'.repeat(300)}`, {
          headers: { cookie: running.cookie },
        })
      ).status,
    ).toBe(404)
    expect(running.server.log.slice(before)).toEqual([])
  })
})

describe('a body of 300 MB', () => {
  it('is rejected at every endpoint, without being buffered', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const urls = ['/issues', '/healthz', `/_serverFn/${functionIds[0]}`].map(
      (path) => `${running.server.origin}${path}`,
    )
    const before = residentBytes(running.server)
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, residentBytes(running.server))
    }, 50)
    for (const url of urls) {
      expect([405, 413, 'closed']).toContain(await postChunked(url, { headers, byteCount: 300_000_000 }))
    }
    clearInterval(timer)
    expect(most - before).toBeLessThan(100_000_000)
    expect((await fetch(`${running.server.origin}/issues`)).status).toBe(200)
  })
})

function residentBytes({ child }: ServerProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}
