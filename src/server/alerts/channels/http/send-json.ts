import { AwaitedAnswer, type ReceivedAnswer } from '#server/forward/awaited-answer.ts'
import type { ConnectionTarget, UpstreamConnections } from '#server/forward/connection.ts'
import { limits } from '#server/limits.ts'

/** One request with JSON to a receiver of alerts. */
export interface JsonRequest {
  url: string
  /** POST by default. */
  method?: 'POST' | 'PATCH'
  headers?: Readonly<Record<string, string>>
  /** JSON as text, or bytes with the content type in `headers`. */
  body: string | Uint8Array
}

/** The dependencies of a request. */
export interface HttpTools {
  connections: UpstreamConnections
  /** `limits.channelTimeoutMs` by default. */
  timeoutMs?: number
}

/**
 * Sends a request once. Does not follow redirects; reads at most 64 kB of the answer. Rejects for an invalid
 * URL.
 */
export async function sendJson(
  { url: text, method = 'POST', headers, body }: JsonRequest,
  { connections, timeoutMs = limits.channelTimeoutMs }: HttpTools,
): Promise<ReceivedAnswer> {
  const url = new URL(text)
  const { promise, resolve } = Promise.withResolvers<ReceivedAnswer>()
  const awaited = new AwaitedAnswer({ timeoutMs, keepsBody: true }, resolve)
  try {
    const pool = await connections.poolOf(toConnectionTarget(url))
    pool.dispatch(
      {
        method,
        path: `${url.pathname}${url.search}`,
        headers: { 'content-type': 'application/json', 'user-agent': 'culvert', ...headers },
        body,
      },
      awaited,
    )
  } catch (error) {
    awaited.fail(error)
  }
  return promise
}

/** The target of requests to a URL. */
export function toConnectionTarget({ origin, hostname, port, protocol }: URL): ConnectionTarget {
  return {
    origin,
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  }
}
