const wantedBy = new WeakMap<AbortSignal, () => boolean>()

/** Marks a request with this signal as a prefetch; `isWanted` returns true if a navigation waits for it. */
export function noteSpeculation(signal: AbortSignal, isWanted: () => boolean): void {
  wantedBy.set(signal, isWanted)
}

/** True for a prefetch for which no navigation waits. */
export function isSpeculative(signal: AbortSignal | null | undefined): boolean {
  const isWanted = signal ? wantedBy.get(signal) : undefined
  return isWanted !== undefined && !isWanted()
}
