const wantedBy = new WeakMap<AbortSignal, () => boolean>()

/**
 * Notes that the request with this signal loads a page ahead; `isWanted` is true once a navigation waits for
 * it.
 */
export function noteSpeculation(signal: AbortSignal, isWanted: () => boolean): void {
  wantedBy.set(signal, isWanted)
}

/** True for a request that loads a page ahead, as long as no navigation waits for it. */
export function isSpeculative(signal: AbortSignal | null | undefined): boolean {
  const isWanted = signal ? wantedBy.get(signal) : undefined
  return isWanted !== undefined && !isWanted()
}
