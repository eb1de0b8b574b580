import { appConfig } from '../../app.config.ts'

export interface ReadRetryOptions {
  fetch: typeof globalThis.fetch
  /** A number from 0 to below 1. */
  random: () => number
  isOnline: () => boolean
  /** Resolves after that time; rejects with the signal's reason when it is aborted first. */
  wait: (delayMs: number, signal: AbortSignal) => Promise<void>
}

/** Set by Start on every reply of a server function; a reply without it came from something in between. */
const serverFunctionReplyHeaders = ['x-tss-serialized', 'x-tss-raw', 'x-tss-context']

/**
 * Makes the fetch that page data is read with: a GET answered 5xx, or lost on the network, is sent again with full
 * jitter between `readRetry.minDelayMs` and `maxDelayMs`. A 4xx, a mutation and a request made offline are sent once.
 *
 * Rejects where the last answer is an error that no server function gave (a proxy's page): Start would take it for data.
 */
export function createRetryingFetch(options: ReadRetryOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    if (request.method !== 'GET') return requireReply(await options.fetch(request))
    const { retries } = appConfig.readRetry
    for (let attempt = 0; ; attempt++) {
      const answer = await send(request, options)
      const isLast = attempt === retries || request.signal.aborted || !options.isOnline()
      if ('response' in answer && (isLast || answer.response.status < 500))
        return requireReply(answer.response)
      if ('thrown' in answer && isLast) throw answer.thrown
      if ('response' in answer) await answer.response.body?.cancel()
      await options.wait(retryDelay(options.random), request.signal)
    }
  }
}

type Answer = { response: Response } | { thrown: unknown }

async function send(request: Request, { fetch }: ReadRetryOptions): Promise<Answer> {
  try {
    return { response: await fetch(request.clone()) }
  } catch (thrown) {
    return { thrown }
  }
}

function retryDelay(random: () => number): number {
  const { minDelayMs, maxDelayMs } = appConfig.readRetry
  return minDelayMs + random() * (maxDelayMs - minDelayMs)
}

function requireReply(response: Response): Response {
  if (response.ok || serverFunctionReplyHeaders.some((name) => response.headers.has(name))) return response
  throw new Error(`A server function was answered with status ${response.status}`)
}

/** The time of the browser, and of tests with fake timers. */
export async function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  const waiting = Promise.withResolvers<void>()
  const timer = setTimeout(waiting.resolve, delayMs)
  signal.addEventListener('abort', () => waiting.resolve(), { once: true })
  await waiting.promise
  clearTimeout(timer)
  signal.throwIfAborted()
}
