import { findClientAddress } from '#server/ingest/client-address.ts'
import { receive } from '#server/ingest/receive.ts'
import type { Services } from '#server/services.ts'
import { answerHeaders } from './answer-headers.ts'
import { findIngestTarget, splitTarget } from './ingest-path.ts'
import { readWebBody } from './read-body.ts'

/**
 * The ingest endpoints as Web request and response: for Start's server routes, where no Node front stands before them.
 * Anything but an ingest path is a 404 in JSON. Never rejects.
 */
export async function handleIngestRequest(services: Services, request: Request): Promise<Response> {
  const { method } = request
  const { path, query } = splitTarget(request.url.replace(/^[a-z]+:\/\/[^/?]*/i, ''))
  const target = findIngestTarget(path, services.env.tunnelPath)
  if (target === undefined) return Response.json({ detail: 'not found' }, { status: 404 })
  const header = (name: string) => request.headers.get(name) ?? undefined
  const clientAddress = findClientAddress(header, undefined)
  const hold = services.bodyGate.hold()
  const answer = await receive(services, {
    method,
    target,
    query,
    header,
    ...(clientAddress !== undefined && { clientAddress }),
    readBody: () => readWebBody(request, hold),
  })
  hold.release()
  const bytes = typeof answer.body === 'string' ? answer.body : new Uint8Array(answer.body)
  const body = method === 'HEAD' || bytes.length === 0 ? null : bytes
  return new Response(body, { status: answer.status, headers: answerHeaders(answer, target, method) })
}

/** True for the path of the tunnel, which an operator may have moved to where no route of the application is. */
export function isTunnelRequest({ env }: Services, request: Request): boolean {
  return findIngestTarget(new URL(request.url).pathname, env.tunnelPath)?.route === 'tunnel'
}
