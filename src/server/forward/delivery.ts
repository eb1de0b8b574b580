import { errorCode, errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { StoredEnvelope } from '#server/store/outbox.ts'
import type { Upstream } from '#server/store/upstreams.ts'
import { AnswerReader } from './answer-reader.ts'
import type { UpstreamConnection, UpstreamConnections } from './connection.ts'
import { addressOf, toRequestHead } from './upstream-request.ts'

/** What an upstream answered, or why it did not. Nothing else of an answer is kept. */
export type DeliveryAnswer =
  | { kind: 'answered'; status: number; retryAfter?: string; rateLimits?: string }
  | { kind: 'failed'; problem: string }

/** Times that a delivery is held to. */
export interface DeliveryBounds {
  timeoutMs: number
}

/**
 * Sends one envelope to an upstream, once. Redirects are not followed. Of what the browser sent, only the client's address
 * and browser go along: no cookie, no authorization, no trace. Never rejects.
 */
export function deliver(
  upstream: Pick<Upstream, 'dsn' | 'connect'>,
  envelope: StoredEnvelope,
  { connections, bounds }: { connections: UpstreamConnections; bounds?: DeliveryBounds },
): Promise<DeliveryAnswer> {
  const { timeoutMs = limits.forwardTimeoutMs } = bounds ?? {}
  return new Promise((resolve) => {
    const reader = new AnswerReader()
    let connection: UpstreamConnection | undefined
    let isBegun = false
    let timer = setTimeout(() => end('no answer in time'), timeoutMs)
    /** Once the status has come, what becomes of the rest of the answer does not take it back. */
    function end(problem: string, isReusable = false): void {
      clearTimeout(timer)
      resolve(reader.head === undefined ? { kind: 'failed', problem } : toAnswer(reader.head))
      if (connection === undefined) return
      if (isReusable) connections.keep(connection, reader.head?.keptSeconds)
      else connection.destroy()
    }
    function onBytes(bytes: Buffer): void {
      const progress = reader.add(bytes)
      if (progress === 'whole') end('', true)
      else if (progress === 'over') end('')
      else if (progress === 'malformed') end('the answer is no HTTP')
      else if (progress === 'begun' && !isBegun) {
        isBegun = true
        // The rest of the answer only keeps the connection usable: nobody waits long for it.
        clearTimeout(timer)
        timer = setTimeout(() => end(''), Math.min(timeoutMs, limits.forwardAnswerMs))
      }
    }
    try {
      const address = addressOf(upstream)
      connection = connections.take(address.place)
      const request = { head: toRequestHead(address, envelope), body: envelope.body }
      connection.ask(request, { onBytes, onEnd: (error) => end(describe(error)) })
    } catch (error) {
      end(describe(error))
    }
  })
}

function toAnswer({
  status,
  retryAfter,
  rateLimits,
}: {
  status: number
  retryAfter?: string
  rateLimits?: string
}): DeliveryAnswer {
  return {
    kind: 'answered',
    status,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(rateLimits !== undefined && { rateLimits }),
  }
}

/** Short, and without anything that the upstream wrote. */
function describe(error: unknown): string {
  const code = errorCode(error)
  if (code === 'PRIVATE_ADDRESS') return errorMessage(error)
  return code ?? 'the connection failed'
}
