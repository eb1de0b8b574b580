import { limits } from '#server/limits.ts'

/**
 * Distinct users of a window's bucket (a twelfth of it): the smallest hashes, 8 bytes each. The hashes of
 * several buckets together yield the number of users in a window: exact up to `limits.alertWindowUsers`, and
 * an estimate from the largest of the smallest hashes above it (K-minimum-values, as in
 * issues/user-sketch.ts).
 */

const hashRange = 2 ** 53
export const hashBytes = 8
/** The bytes of a bucket with `limits.alertWindowUsers` or more. */
export const fullUserBytes = limits.alertWindowUsers * hashBytes

/** Adds hashes. Returns the bytes of the smallest; undefined if nothing changed. */
export function addUserHashes(
  known: Uint8Array | undefined,
  userHashes: Iterable<number>,
): Uint8Array | undefined {
  const former = known === undefined ? new Float64Array() : readHashes(known)
  const largest = former.length < limits.alertWindowUsers ? Infinity : (former.at(-1) ?? Infinity)
  const added = new Set<number>()
  for (const hash of userHashes) if (hash < largest && !hasHash(former, hash)) added.add(hash)
  if (added.size === 0) return undefined
  const all = new Float64Array(former.length + added.size)
  all.set(former)
  all.set([...added], former.length)
  const smallest = all.toSorted().subarray(0, limits.alertWindowUsers)
  const bytes = new Uint8Array(smallest.length * hashBytes)
  const view = new DataView(bytes.buffer)
  for (const [at, hash] of smallest.entries()) view.setFloat64(at * hashBytes, hash)
  return bytes
}

/** The smallest hashes of several rows of a bucket; undefined if there are none. */
export function mergeUserHashes(parts: readonly Uint8Array[]): Uint8Array | undefined {
  const all = new Set<number>()
  for (const part of parts) for (const hash of readHashes(part)) all.add(hash)
  return addUserHashes(undefined, all)
}

/** The distinct users of several buckets. */
export function countUsers(parts: readonly Uint8Array[]): number {
  const hashes = new Float64Array(parts.reduce((sum, part) => sum + Math.floor(part.length / hashBytes), 0))
  let length = 0
  for (const part of parts) {
    const read = readHashes(part)
    hashes.set(read, length)
    length += read.length
  }
  const kept = limits.alertWindowUsers
  let count = 0
  let last: number | undefined
  for (const hash of hashes.toSorted()) {
    if (hash === last) continue
    last = hash
    count += 1
    // The largest of the smallest hashes tells their density.
    if (count === kept) return Math.max(kept, Math.round(((kept - 1) * hashRange) / Math.max(hash, 1)))
  }
  return count
}

/** `sorted`: in ascending order. */
function hasHash(sorted: Float64Array, hash: number): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) < hash) low = middle + 1
    else high = middle
  }
  return sorted[low] === hash
}

function readHashes(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const hashes = new Float64Array(Math.floor(bytes.byteLength / hashBytes))
  for (const at of hashes.keys()) hashes[at] = view.getFloat64(at * hashBytes)
  return hashes
}
