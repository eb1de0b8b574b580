import { describe, expect, it } from 'vitest'
import { noteSpeculation } from './prefetch/speculation.ts'
import { createRetryingFetch } from './read-retry.ts'
import { UnansweredError } from './unanswered.ts'

type Step = number | 'lost'

function harness(steps: Step[], { isOnline = true } = {}) {
  const waitedMs: number[] = []
  const noted: string[] = []
  let sent = 0
  const fetch = createRetryingFetch({
    fetch: () => {
      const step = steps[sent++] ?? 200
      if (step === 'lost') return Promise.reject(new TypeError('Failed to fetch'))
      return Promise.resolve(
        new Response(`answer ${sent}`, { status: step, headers: { 'x-tss-serialized': 'true' } }),
      )
    },
    random: () => 0.5,
    isOnline: () => isOnline,
    wait: (delayMs) => {
      waitedMs.push(delayMs)
      return Promise.resolve()
    },
    server: {
      noteSuccess: () => noted.push('success'),
      noteFailure: (ms = 0) => noted.push(`failure ${ms}`),
    },
  })
  return { fetch, waitedMs, noted, sentCount: () => sent }
}

const url = 'http://localhost/_serverFn/1'

describe('retrying fetch', () => {
  it('reads a page that failed twice with the third attempt', async () => {
    const { fetch, waitedMs, sentCount } = harness([500, 503, 200])
    const response = await fetch(url)
    expect(await response.text()).toBe('answer 3')
    expect(sentCount()).toBe(3)
    expect(waitedMs).toEqual([200, 200])
  })

  it('stops after three attempts and returns the last answer', async () => {
    const { fetch, sentCount } = harness([500, 500, 502, 200])
    expect((await fetch(url)).status).toBe(502)
    expect(sentCount()).toBe(3)
  })

  it.each([400, 404, 429])('sends a read answered %i once', async (status) => {
    const { fetch, sentCount } = harness([status])
    expect((await fetch(url)).status).toBe(status)
    expect(sentCount()).toBe(1)
  })

  it('sends a mutation once, even when it fails', async () => {
    const { fetch, sentCount } = harness([500, 200])
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(500)
    expect(sentCount()).toBe(1)
  })

  it('tries again after the network lost a read', async () => {
    const { fetch, sentCount } = harness(['lost', 200])
    expect((await fetch(url)).status).toBe(200)
    expect(sentCount()).toBe(2)
  })

  it('does not try again offline', async () => {
    const { fetch, sentCount } = harness(['lost', 200], { isOnline: false })
    await expect(fetch(url)).rejects.toThrow('Failed to fetch')
    expect(sentCount()).toBe(1)
  })

  it('rejects an error page that does not come from a server function', async () => {
    const fetch = createRetryingFetch({
      fetch: () => Promise.resolve(Response.json({ error: 'bad gateway' }, { status: 404 })),
      random: () => 0,
      isOnline: () => true,
      wait: () => Promise.resolve(),
      server: { noteSuccess: () => {}, noteFailure: () => {} },
    })
    await expect(fetch(url)).rejects.toThrow('status 404')
  })

  it('sends a prefetch once, and retries it when a reader waits for it', async () => {
    const { fetch, sentCount } = harness([503, 503, 200])
    const { signal } = new AbortController()
    let isWanted = false
    noteSpeculation(signal, () => isWanted)
    expect((await fetch(url, { signal })).status).toBe(503)
    expect(sentCount()).toBe(1)
    isWanted = true
    expect((await fetch(url, { signal })).status).toBe(200)
    expect(sentCount()).toBe(3)
  })

  it('names a prefetch in a header, until a reader waits for it', async () => {
    const purposes: (string | null)[] = []
    const fetch = createRetryingFetch({
      fetch: (input) => {
        purposes.push(new Request(input).headers.get('purpose'))
        return Promise.resolve(new Response('{}'))
      },
      random: () => 0,
      isOnline: () => true,
      wait: () => Promise.resolve(),
      server: { noteSuccess: () => {}, noteFailure: () => {} },
    })
    const { signal } = new AbortController()
    let isWanted = false
    noteSpeculation(signal, () => isWanted)
    await fetch(url, { signal })
    isWanted = true
    await fetch(url, { signal })
    await fetch(url)
    expect(purposes).toEqual(['prefetch', null, null])
  })

  it('records the outcome of each read once, with the Retry-After of a failure', async () => {
    const { fetch, noted } = harness([500, 500, 200, 404, 429, 500, 500, 500])
    for (let read = 0; read < 4; read += 1) await fetch(url)
    expect(noted).toEqual(['success', 'success', 'failure 0', 'failure 0'])
  })

  it('rejects as unanswered when the network fails', async () => {
    const { fetch, noted } = harness(['lost', 'lost', 'lost'])
    await expect(fetch(url)).rejects.toThrow(UnansweredError)
    expect(noted).toEqual(['failure 0'])
  })
})
