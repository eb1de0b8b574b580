import type { FindingList } from '#server/scrub/finding-list.ts'
import { isMark } from '#server/scrub/scrub-rule.ts'

const begin = '-----BEGIN '
const kinds = /^(?:[A-Z0-9]+ ){0,3}(?:PRIVATE|PUBLIC) KEY(?: BLOCK)?-----/

/**
 * Finds the body between the lines of a PEM key, even if the end is truncated; the lines themselves are kept,
 * as in Relay. Certificates are public and not changed.
 */
export function findPemKeys(text: string, findings: FindingList): void {
  let at = text.indexOf(begin)
  while (at !== -1 && !findings.isFull) {
    const kind = kinds.exec(text.slice(at + begin.length, at + begin.length + 80))
    at += begin.length
    if (kind !== null) {
      const start = at + kind[0].length
      const found = text.indexOf('-----END', start)
      const end = found === -1 ? text.length : found
      const body = text.slice(start, end).trim()
      if (body !== '' && !isMark(body)) findings.add(start, end, 'pemkey')
      at = end
    }
    at = text.indexOf(begin, at)
  }
}
