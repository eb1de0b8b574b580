import { limits } from '#server/limits.ts'

/**
 * Distinct users of a twelfth of a window: the smallest hashes, 8 bytes each. Those of several twelfths
 * together say how many users a window has: exactly up to `limits.alertWindowUsers`, and beyond it by the
 * largest of the smallest hashes (K-minimum-values, as in issues/user-sketch.ts).
 */

const hashRange = 2 ** 53
const hashBytes = 8

/** Adds hashes. Returns the bytes of the smallest. */
export function addUserHashes(known: Uint8Array | undefined, userHashes: Iterable<number>): Uint8Array {
  const hashes = new Set(known === undefined ? [] : readHashes(known))
  for (const hash of userHashes) hashes.add(hash)
  const smallest = toSmallest(hashes)
  const bytes = new Uint8Array(smallest.length * hashBytes)
  const view = new DataView(bytes.buffer)
  for (const [at, hash] of smallest.entries()) view.setFloat64(at * hashBytes, hash)
  return bytes
}

/** The distinct users of several twelfths. */
export function countUsers(parts: readonly Uint8Array[]): number {
  const hashes = new Set<number>()
  for (const part of parts) for (const hash of readHashes(part)) hashes.add(hash)
  const kept = limits.alertWindowUsers
  if (hashes.size < kept) return hashes.size
  const largest = toSmallest(hashes).at(-1) ?? 1
  return Math.max(kept, Math.round(((kept - 1) * hashRange) / Math.max(largest, 1)))
}

function readHashes(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: Math.floor(bytes.byteLength / hashBytes) }, (_, at) =>
    view.getFloat64(at * hashBytes),
  )
}

function toSmallest(hashes: Iterable<number>): number[] {
  return [...hashes].toSorted((one, other) => one - other).slice(0, limits.alertWindowUsers)
}
