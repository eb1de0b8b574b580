import type { IncomingMessage } from 'node:http'
import { normalizeTarget, type RequestTarget } from './request-target.ts'

/** The target of a request, or the reason to reject it before its path is used. */
export type TargetResult =
  | { ok: true; target: RequestTarget }
  | { ok: false; status: 400 | 501; detail: string }

/**
 * Parses the target of a request, and rejects what Node's parser accepts but another server on the way might
 * interpret differently: an absolute target, which is for proxies (RFC 9112 §3.2.2), or one with a backslash
 * or a fragment, two Host headers (§3.2), and a transfer coding other than `chunked` (§6.1).
 */
export function readTarget(request: IncomingMessage): TargetResult {
  const target = normalizeTarget(request.url ?? '')
  if (target === undefined) return { ok: false, status: 400, detail: 'bad request target' }
  const coding = request.headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return { ok: false, status: 501, detail: 'unknown transfer encoding' }
  if (hasTwoHosts(request.rawHeaders)) return { ok: false, status: 400, detail: 'more than one Host header' }
  return { ok: true, target }
}

/** Alternating names and values; `request.headers` contains only the first of several hosts. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}
