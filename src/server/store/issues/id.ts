import { hash } from 'node:crypto'

/**
 * The id a new issue tries to take: the first 53 bits of a SHA-256 over project, group hash and salt.
 *
 * 53 bits because a JavaScript number holds them exactly; made here and not by the database so that any node
 * can make one alone. With a million issues the chance of any collision is 1 in 18,000; the next salt then
 * gives another id.
 */
export function issueIdCandidate(projectId: number, groupHash: string, salt: number): number {
  return first53Bits(hash('sha256', `issue:${projectId}:${groupHash}:${salt}`))
}

/** The hash a user is counted by, evenly spread over 0 … 2^53 - 1. */
export function userHash(userKey: string): number {
  return first53Bits(hash('sha256', `user:${userKey}`))
}

/**
 * Of a digest in hexadecimal digits: a `Buffer` takes twice as long to make, and this is done for every
 * event.
 */
export function first53Bits(digest: string): number {
  return Number.parseInt(digest.slice(0, 12), 16) * 32 + (Number.parseInt(digest.slice(12, 14), 16) >>> 3)
}

/** The issue id in a URL; undefined when it is none. */
export function parseIssueId(text: string): number | undefined {
  if (!/^\d{1,16}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}

/** The short id: `CHECKOUT-1A`, the project's slug and the issue's number in base 36. */
export function formatShortId(projectSlug: string, number: number): string {
  return `${projectSlug}-${number.toString(36)}`.toUpperCase()
}
