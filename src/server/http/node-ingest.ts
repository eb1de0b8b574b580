import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IngestAnswer } from '#server/ingest/ingest-answer.ts'
import type { IngestTarget } from '#server/ingest/ingest-request.ts'
import { receive } from '#server/ingest/receive/receive.ts'
import type { Services } from '#server/services.ts'
import { answerHeaders } from './answer/headers.ts'
import { readNodeBody } from './read-body.ts'
import { discardBody } from './request-body.ts'

/** An ingest request in node:http. */
export interface NodeIngest {
  request: IncomingMessage
  response: ServerResponse
  target: IngestTarget
  query: string
}

/** Answers an ingest request. Never rejects. */
export async function answerIngest(services: Services, ingest: NodeIngest): Promise<void> {
  const { request, target, query } = ingest
  const method = request.method ?? 'GET'
  const header = (name: string) => headerText(request, name)
  const { clientAddress } = services.clientAddresses.find(request.socket.remoteAddress, header)
  const hold = services.bodyGate.hold()
  const answer = await receive(services, {
    method,
    target,
    query,
    header,
    clientAddress,
    readBody: () => readNodeBody(request, hold),
  })
  hold.release()
  const send = () => sendAnswer(ingest, answer)
  if (answer.status === 429) services.admission.reject(request.socket, send)
  else send()
}

function sendAnswer({ request, response, target }: NodeIngest, answer: IngestAnswer): void {
  const method = request.method ?? 'GET'
  const headers = answerHeaders(answer, target, method)
  headers['content-length'] = String(Buffer.byteLength(answer.body))
  response.writeHead(answer.status, headers)
  sendBody({ request, response }, method === 'HEAD' ? '' : answer.body)
}

/**
 * Ends the response, immediately if the whole request has been read. Otherwise the response is sent and the
 * rest of the request is discarded first.
 */
function sendBody(
  { request, response }: Pick<NodeIngest, 'request' | 'response'>,
  body: string | Buffer,
): void {
  // Even if the client has disconnected: no event would report the end of the request.
  if (request.complete || request.destroyed) {
    response.end(body)
    return
  }
  response.write(body)
  response.flushHeaders()
  void endAfterBody({ request, response })
}

async function endAfterBody({ request, response }: Pick<NodeIngest, 'request' | 'response'>): Promise<void> {
  await discardBody(request)
  response.end()
  if (!request.complete) request.socket.destroySoon()
}

/** Node joins repeated headers with commas, except a few that it returns as lists. */
function headerText(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : value?.[0]
}
