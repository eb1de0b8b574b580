import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { errorCode, errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { StoredEnvelope } from '#server/store/upstreams/outbox.ts'
import type { Upstream } from '#server/store/upstreams/upstreams.ts'
import type { UpstreamConnections } from './connection.ts'
import { addressOf, toRequestHeaders } from './upstream-request.ts'

/** What an upstream answered, or why it did not. Nothing else of an answer is kept. */
export type DeliveryAnswer =
  | { kind: 'answered'; status: number; retryAfter?: string; rateLimits?: string }
  | { kind: 'failed'; problem: string }

/** Times that a delivery is held to. */
export interface DeliveryBounds {
  timeoutMs: number
}

/**
 * Sends one envelope to an upstream, once. Redirects are not followed. Of what the browser sent, only the
 * client's address and browser go along: no cookie, no authorization, no trace. Never rejects.
 */
export function deliver(
  upstream: Pick<Upstream, 'dsn' | 'connect'>,
  envelope: StoredEnvelope,
  { connections, bounds }: { connections: UpstreamConnections; bounds?: DeliveryBounds },
): Promise<DeliveryAnswer> {
  const { promise, resolve } = Promise.withResolvers<DeliveryAnswer>()
  const awaited = new AwaitedAnswer(bounds?.timeoutMs ?? limits.forwardTimeoutMs, resolve)
  dispatch(upstream, envelope, { connections, awaited }).catch((error: unknown) =>
    awaited.end(describe(error)),
  )
  return promise
}

async function dispatch(
  upstream: Pick<Upstream, 'dsn' | 'connect'>,
  envelope: StoredEnvelope,
  { connections, awaited }: { connections: UpstreamConnections; awaited: AwaitedAnswer },
): Promise<void> {
  const address = addressOf(upstream)
  const pool = await connections.poolOf(address.target)
  const { path } = address
  const headers = toRequestHeaders(address, envelope)
  pool.dispatch({ method: 'POST', path, headers, body: envelope.body }, awaited)
}

/** One answer on its way. Of its body nothing is kept, and no more than a little is read. */
class AwaitedAnswer implements Dispatcher.DispatchHandler {
  private readonly timeoutMs: number
  private readonly resolve: (answer: DeliveryAnswer) => void
  private timer: NodeJS.Timeout
  private request: Dispatcher.DispatchController | undefined
  private head: Extract<DeliveryAnswer, { kind: 'answered' }> | undefined
  private bodyBytes = 0
  private isOver = false

  constructor(timeoutMs: number, resolve: (answer: DeliveryAnswer) => void) {
    this.timeoutMs = timeoutMs
    this.resolve = resolve
    this.timer = setTimeout(() => this.giveUp('no answer in time'), timeoutMs)
  }

  onRequestStart(request: Dispatcher.DispatchController): void {
    this.request = request
    // Nobody waits any more: it must not go up unnoticed.
    if (this.isOver) request.abort(new GivenUpError())
  }

  onResponseStart(
    _request: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Something that is said beforehand; the answer comes behind it.
    if (status < 200) return
    this.head = toAnswer(status, headers)
    // The rest of the answer only keeps the connection usable: nobody waits long for it.
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.giveUp(''), Math.min(this.timeoutMs, limits.forwardAnswerMs))
  }

  onResponseData(_request: Dispatcher.DispatchController, bytes: Buffer): void {
    this.bodyBytes += bytes.length
    if (this.bodyBytes > limits.forwardAnswerBytes) this.giveUp('')
  }

  onResponseEnd(): void {
    this.end('the answer is no HTTP')
  }

  onResponseError(_request: Dispatcher.DispatchController, error: Error): void {
    this.end(describe(error))
  }

  /** Once the status has come, what becomes of the rest of the answer does not take it back. */
  end(problem: string): void {
    if (this.isOver) return
    this.isOver = true
    clearTimeout(this.timer)
    this.resolve(this.head ?? { kind: 'failed', problem })
  }

  /** Ends it here, and its connection. */
  private giveUp(problem: string): void {
    this.end(problem)
    this.request?.abort(new GivenUpError())
  }
}

class GivenUpError extends Error {
  override readonly name = 'GivenUpError'
}

function toAnswer(
  status: number,
  headers: IncomingHttpHeaders,
): Extract<DeliveryAnswer, { kind: 'answered' }> {
  const [retryAfter] = toValues(headers['retry-after'])
  const rateLimits = toValues(headers['x-sentry-rate-limits'])
  return {
    kind: 'answered',
    status,
    retryAfter,
    ...(rateLimits.length > 0 && { rateLimits: rateLimits.join(', ') }),
  }
}

function toValues(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat()
}

/** Short, and without anything that the upstream wrote. */
function describe(error: unknown): string {
  const code = errorCode(error)
  if (code === 'PRIVATE_ADDRESS') return errorMessage(error)
  if (code === 'UND_ERR_SOCKET') return 'ECONNRESET'
  const isUnreadable = error instanceof Error && error.name === 'HTTPParserError'
  const isNoHttp = isUnreadable || code === 'UND_ERR_HEADERS_OVERFLOW'
  return isNoHttp ? 'the answer is no HTTP' : (code ?? 'the connection failed')
}
