import { readForwardedAddress } from '#server/client-address.ts'
import type { IngestTarget } from '#server/ingest/ingest-request.ts'
import { receive } from '#server/ingest/receive/receive.ts'
import type { Services } from '#server/services.ts'
import { answerHeaders } from './answer/headers.ts'
import { findIngestTarget } from './ingest-path.ts'
import { readWebBody } from './read-body.ts'
import { normalizeTarget } from './request-target.ts'

/**
 * Answers a request for an ingest endpoint like the Node front, for hosts without that front: the development
 * server and serverless hosts. Undefined for every other path. Never rejects.
 */
export function handleIngestRequest(services: Services, request: Request): Promise<Response> | undefined {
  const requested = normalizeTarget(request.url.replace(/^[a-z]+:\/\/[^/?]*/i, ''))
  const target = requested && findIngestTarget(requested.path, services.env.tunnelPath)
  return target && answerIngest(services, request, { target, query: requested.query })
}

async function answerIngest(
  services: Services,
  request: Request,
  { target, query }: { target: IngestTarget; query: string },
): Promise<Response> {
  const { method } = request
  const header = (name: string) => request.headers.get(name) ?? undefined
  const clientAddress = readForwardedAddress(request.headers)
  const hold = services.bodyGate.hold()
  const answer = await receive(services, {
    method,
    target,
    query,
    header,
    clientAddress,
    readBody: () => readWebBody(request, hold),
  })
  hold.release()
  const bytes = typeof answer.body === 'string' ? answer.body : new Uint8Array(answer.body)
  const body = method === 'HEAD' || bytes.length === 0 ? null : bytes
  return new Response(body, { status: answer.status, headers: answerHeaders(answer, target, method) })
}
