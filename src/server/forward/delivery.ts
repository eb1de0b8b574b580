import { limits } from '#server/limits.ts'
import type { StoredEnvelope } from '#server/store/upstreams/outbox.ts'
import type { Upstream } from '#server/store/upstreams/upstreams.ts'
import { AwaitedAnswer, type ReceivedAnswer } from './awaited-answer.ts'
import type { UpstreamConnections } from './connection.ts'
import { toUpstreamAddress, toRequestHeaders } from './upstream-request.ts'

/** The time-outs of a delivery. */
export interface DeliveryBounds {
  timeoutMs: number
}

/**
 * Sends one envelope to an upstream, once. Redirects are not followed. Of the client's headers, only its
 * address and user agent are sent along: no cookie, no authorization, no trace. Never rejects.
 */
export function deliver(
  upstream: Pick<Upstream, 'dsn' | 'connect'>,
  envelope: StoredEnvelope,
  { connections, bounds }: { connections: UpstreamConnections; bounds?: DeliveryBounds },
): Promise<ReceivedAnswer> {
  const { promise, resolve } = Promise.withResolvers<ReceivedAnswer>()
  const uploadMs = (envelope.body.byteLength / limits.forwardBytesPerSecond) * 1000
  const timeoutMs = (bounds?.timeoutMs ?? limits.forwardTimeoutMs) + uploadMs
  const awaited = new AwaitedAnswer({ timeoutMs }, resolve)
  dispatch(upstream, envelope, { connections, awaited }).catch((error: unknown) => awaited.fail(error))
  return promise
}

async function dispatch(
  upstream: Pick<Upstream, 'dsn' | 'connect'>,
  envelope: StoredEnvelope,
  { connections, awaited }: { connections: UpstreamConnections; awaited: AwaitedAnswer },
): Promise<void> {
  const address = toUpstreamAddress(upstream)
  const pool = await connections.poolOf(address.target)
  const { path } = address
  const headers = toRequestHeaders(address, envelope)
  pool.dispatch({ method: 'POST', path, headers, body: envelope.body }, awaited)
}
