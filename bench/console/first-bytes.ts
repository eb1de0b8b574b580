import { Agent, request } from 'node:http'

const defaultRounds = { warmUp: 10, measured: 60 }

/** Pause between two requests, because a user reads between clicks. */
const pauseMs = 5

/** Visits of a user. */
interface Visit {
  /** How often each screen is requested. */
  rounds?: { warmUp: number; measured: number }
  origin: string
  cookie: string
}

/**
 * Measures the first byte and the size of each screen, requested one after another with a session. Returns
 * rows of a table.
 */
export async function measureFirstBytes({
  origin,
  cookie,
  screens,
  rounds = defaultRounds,
}: Visit & { screens: string[] }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const found = new Map(screens.map((screen): [string, Answer[]] => [screen, []]))
  for (let round = -rounds.warmUp; round < rounds.measured; round += 1) {
    for (const [screen, answers] of found) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      const answer = await readFirstByte(`${origin}${screen}`, { agent, cookie })
      if (round >= 0) answers.push(answer)
    }
  }
  agent.destroy()
  return [...found].map(([screen, answers]) => {
    const times = answers.map(({ firstByteMs }) => firstByteMs).toSorted((one, other) => one - other)
    const at = (share: number) => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1)
    const { status, bytes } = answers.at(-1) ?? { status: 0, bytes: 0 }
    return { screen, status, 'HTML kB': Math.round(bytes / 1000), 'p50 ms': at(0.5), 'p95 ms': at(0.95) }
  })
}

interface Answer {
  status: number
  bytes: number
  firstByteMs: number
}

function readFirstByte(url: string, { agent, cookie }: { agent: Agent; cookie: string }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    request(url, { agent, headers: { cookie, accept: 'text/html' } }, (response) => {
      const firstByteMs = performance.now() - startedAt
      let bytes = 0
      response
        .on('data', (chunk: Buffer) => {
          bytes += chunk.byteLength
        })
        .on('end', () => resolve({ status: response.statusCode ?? 0, bytes, firstByteMs }))
    })
      .on('error', reject)
      .end()
  })
}
