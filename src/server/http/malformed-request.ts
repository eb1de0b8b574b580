import type { IncomingMessage } from 'node:http'

/** What a request is refused with before anybody looks at its path. */
export interface Malformation {
  status: 400 | 501
  detail: string
}

/**
 * Finds what Node's parser lets through although the next server on the way might read it differently: an absolute
 * target, which asks for a proxy (RFC 9112 §3.2.2), two Host headers (§3.2), and a transfer coding besides `chunked`
 * (§6.1). Undefined for a request that is in order.
 */
export function findMalformation(request: IncomingMessage): Malformation | undefined {
  if (request.url?.startsWith('/') !== true) return { status: 400, detail: 'bad request target' }
  const coding = request.headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return { status: 501, detail: 'unknown transfer encoding' }
  return hasTwoHosts(request.rawHeaders) ? { status: 400, detail: 'more than one Host header' } : undefined
}

/** Names and values by turns. `request.headers` keeps the first of several hosts and forgets the rest. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}
