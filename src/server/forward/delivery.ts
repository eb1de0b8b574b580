import {
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { errorCode, errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { StoredEnvelope } from '#server/store/outbox.ts'
import type { Upstream } from '#server/store/upstreams.ts'
import type { UpstreamAgents } from './connection.ts'

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
  { dsn, connect }: Pick<Upstream, 'dsn' | 'connect'>,
  envelope: StoredEnvelope,
  { agents, bounds }: { agents: UpstreamAgents; bounds?: DeliveryBounds },
): Promise<DeliveryAnswer> {
  const { timeoutMs = limits.forwardTimeoutMs } = bounds ?? {}
  return new Promise((resolve) => {
    let request: ClientRequest | undefined
    let received: DeliveryAnswer | undefined
    let isComplete = false
    let timer = setTimeout(() => end('no answer in time'), timeoutMs)
    /** Once the status has come, what becomes of the rest of the answer does not take it back. */
    function end(problem: string): void {
      clearTimeout(timer)
      resolve(received ?? { kind: 'failed', problem })
      if (!isComplete) request?.destroy()
    }
    try {
      const { options, dialled } = toOptions({ dsn, connect }, envelope)
      agents.check(dialled)
      request =
        dsn.protocol === 'https'
          ? requestHttps({ ...options, agent: agents.https })
          : requestHttp({ ...options, agent: agents.http })
      request.on('response', (response) => {
        received = toAnswer(response)
        // The rest of the answer only keeps the connection usable: nobody waits long for it.
        clearTimeout(timer)
        timer = setTimeout(() => end(''), Math.min(timeoutMs, limits.forwardAnswerMs))
        response.on('end', () => {
          isComplete = true
        })
        discard(response, end)
      })
      request.on('error', (error) => end(describe(error)))
      request.end(envelope.body)
    } catch (error) {
      end(describe(error))
    }
  })
}

function toAnswer({ statusCode: status = 0, headers }: IncomingMessage): DeliveryAnswer {
  const retryAfter = headers['retry-after']
  const rateLimits = headers['x-sentry-rate-limits']
  return {
    kind: 'answered',
    status,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(rateLimits !== undefined && { rateLimits: String(rateLimits) }),
  }
}

/** Reads a little of the answer, so that the connection can be used again, and throws it away. */
function discard(response: IncomingMessage, end: (problem: string) => void): void {
  let byteCount = 0
  response.on('data', (chunk: Buffer) => {
    byteCount += chunk.byteLength
    if (byteCount > limits.forwardAnswerBytes) end('the answer is too long')
  })
  response.on('end', () => end(''))
  response.on('close', () => end('')).on('error', () => end(''))
}

/** Options of the request, and the host that is really connected to. */
function toOptions(
  { dsn, connect }: { dsn: Upstream['dsn']; connect: string | undefined },
  { body, clientAddress, userAgent }: StoredEnvelope,
): { options: RequestOptions; dialled: string } {
  const url = new URL(`${dsn.protocol}://${dsn.host}`)
  const target = connect === undefined ? url : new URL(`${dsn.protocol}://${connect}`)
  const dialled = target.hostname.replaceAll(/^\[|\]$/g, '')
  const name = url.hostname.replaceAll(/^\[|\]$/g, '')
  return {
    dialled,
    options: {
      method: 'POST',
      host: dialled,
      port: target.port === '' ? (dsn.protocol === 'https' ? 443 : 80) : Number(target.port),
      path: `${dsn.path}/api/${dsn.projectId}/envelope/`,
      // The certificate must be the upstream's, whatever was dialled.
      ...(dsn.protocol === 'https' && isIP(name) === 0 && { servername: name }),
      headers: {
        host: dsn.host,
        'content-type': 'application/x-sentry-envelope',
        'content-length': body.byteLength,
        'user-agent': toHeaderText(userAgent) ?? 'culvert',
        'x-sentry-auth': `Sentry sentry_version=7, sentry_client=culvert, sentry_key=${dsn.publicKey}`,
        via: '1.1 culvert',
        ...(clientAddress !== undefined && { 'x-sentry-forwarded-for': clientAddress }),
      },
    },
  }
}

/** What can stand in a header; it came in one, so that nothing of it is lost. */
function toHeaderText(text: string | undefined): string | undefined {
  const clean = text?.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '')
  return clean === '' ? undefined : clean
}

/** Short, and without anything that the upstream wrote. */
function describe(error: unknown): string {
  const code = errorCode(error)
  if (code === 'PRIVATE_ADDRESS') return errorMessage(error)
  return code ?? 'the connection failed'
}
