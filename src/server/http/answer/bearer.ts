import { createHash, timingSafeEqual } from 'node:crypto'

/** True if a request has this bearer token. Takes the same time for every wrong one. */
export function isBearer(headers: Headers, expected: string): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  return timingSafeEqual(digestOf(given), digestOf(expected))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
