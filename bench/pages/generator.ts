/**
 * The load generator: a separate process that requests one page repeatedly, each time after the last answer.
 * Prints one JSON line when measuring starts and one with the result.
 *
 * node bench/pages/generator.ts URL COOKIE CONNECTIONS WARM_UP_MS MEASURE_MS
 */
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** The result that the generator prints at the end, for the measured time only. */
export interface PageLoadResult {
  pages: number
  seconds: number
  /** Bytes of one answer, without its headers. */
  htmlBytes: number
  p50Ms: number
  p99Ms: number
}

async function main([
  url = '',
  cookie = '',
  connections = '8',
  warmUpMs = '2000',
  measureMs = '8000',
]: string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
  const load = { isMeasuring: false, isOver: false, htmlBytes: 0, latenciesMs: new Array<number>() }
  const workers = Array.from({ length: Number(connections) }, async () => {
    while (!load.isOver) {
      const startedAt = performance.now()
      load.htmlBytes = await readPage({ url, cookie }, agent)
      if (load.isMeasuring) load.latenciesMs.push(performance.now() - startedAt)
    }
  })
  await Promise.race([sleep(Number(warmUpMs)), Promise.all(workers)])
  load.isMeasuring = true
  const startedAt = performance.now()
  print({ isMeasuring: true })
  await Promise.race([sleep(Number(measureMs)), Promise.all(workers)])
  load.isMeasuring = false
  const seconds = (performance.now() - startedAt) / 1000
  const sorted = load.latenciesMs.toSorted((a, b) => a - b)
  const result: PageLoadResult = {
    pages: sorted.length,
    seconds,
    htmlBytes: load.htmlBytes,
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? Number.NaN,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
  }
  print({ result })
  load.isOver = true
  await Promise.all(workers)
  agent.destroy()
}

/** The bytes of the body. Rejects for any status but 200. */
function readPage({ url, cookie }: { url: string; cookie: string }, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { accept: 'text/html', cookie } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes)
        else reject(new Error(`${url} was answered ${response.statusCode}`))
      })
    }).on('error', reject)
  })
}

function print(value: { result: PageLoadResult } | { isMeasuring: true }): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

await main(process.argv.slice(2))
