import { isServerFunctionReply } from '#framework/server-function-reply.ts'
import { appConfig } from '../../app.config.ts'
import { isSpeculative } from './prefetch/speculation.ts'
import type { ServerState } from './server-state.ts'
import { UnansweredError } from './unanswered.ts'

export interface ReadRetryOptions {
  fetch: typeof globalThis.fetch
  /** A number from 0 to below 1. */
  random: () => number
  isOnline: () => boolean
  /** Resolves after that time; rejects with the signal's reason when it is aborted first. */
  wait: (delayMs: number, signal: AbortSignal) => Promise<void>
  /** Receives the result of each request. */
  server: Pick<ServerState, 'noteSuccess' | 'noteFailure'>
}

/**
 * Creates the fetch for page data: a GET answered 5xx, or lost on the network, is sent again with full jitter
 * between `readRetry.minDelayMs` and `maxDelayMs`. A 4xx, a mutation, a request made offline, and a prefetch
 * are sent once. Rejects with `UnansweredError` if the last answer is an error that no server function sent
 * (a proxy's page): Start would treat it as data.
 */
export function createRetryingFetch(options: ReadRetryOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const attempts = request.method === 'GET' ? appConfig.readRetry.retries + 1 : 1
    for (let attempt = 1; ; attempt++) {
      // The server serves other requests first.
      if (isSpeculative(init?.signal)) request.headers.set('purpose', 'prefetch')
      else request.headers.delete('purpose')
      const answer = await send(request, options)
      const isLast =
        attempt === attempts ||
        request.signal.aborted ||
        !options.isOnline() ||
        isSpeculative(init?.signal) ||
        ('response' in answer && answer.response.status < 500)
      if (isLast) return conclude(answer, request, options)
      if ('response' in answer) await answer.response.body?.cancel()
      await options.wait(retryDelay(options.random), request.signal)
    }
  }
}

function conclude(answer: Answer, { signal }: Request, { server, isOnline }: ReadRetryOptions): Response {
  if ('thrown' in answer) {
    if (signal.aborted || !isOnline()) throw answer.thrown
    server.noteFailure()
    throw new UnansweredError({ cause: answer.thrown })
  }
  const { response } = answer
  const isFailure = response.status >= 500 || response.status === 429
  if (isFailure) server.noteFailure(1_000 * (Number(response.headers.get('retry-after')) || 0))
  else server.noteSuccess()
  if (response.ok || isServerFunctionReply(response)) return response
  throw new UnansweredError({ status: response.status })
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

/** The time of the browser, and of tests with fake timers. */
export async function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  const waiting = Promise.withResolvers<void>()
  const timer = setTimeout(waiting.resolve, delayMs)
  signal.addEventListener('abort', () => waiting.resolve(), { once: true })
  await waiting.promise
  clearTimeout(timer)
  signal.throwIfAborted()
}
