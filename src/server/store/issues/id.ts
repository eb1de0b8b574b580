import { hash } from 'node:crypto'

/**
 * A candidate for the id of a new issue: the first 53 bits of a SHA-256 over project, group hash and salt.
 *
 * 53 bits because a JavaScript number represents them exactly; computed here and not by the database, so that
 * each process can do it independently. With a million issues the chance of any collision is 1 in 18,000; the
 * next salt then gives another id.
 */
export function issueIdCandidate(projectId: number, groupHash: string, salt: number): number {
  return first53Bits(hash('sha256', `issue:${projectId}:${groupHash}:${salt}`))
}

/** The hash by which a user is counted, evenly distributed over 0 … 2^53 - 1. */
export function userHash(userKey: string): number {
  return first53Bits(hash('sha256', `user:${userKey}`))
}

/** Takes a hexadecimal digest: a `Buffer` takes twice as long to create, and this runs for every event. */
export function first53Bits(digest: string): number {
  return Number.parseInt(digest.slice(0, 12), 16) * 32 + (Number.parseInt(digest.slice(12, 14), 16) >>> 3)
}

/** The issue id in a URL; undefined if it is invalid. */
export function parseIssueId(text: string): number | undefined {
  if (!/^\d{1,16}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}

/** The short id: `CHECKOUT-1A`, the project's slug and the issue's number in base 36. */
export function formatShortId(projectSlug: string, number: number): string {
  return `${projectSlug}-${number.toString(36)}`.toUpperCase()
}
