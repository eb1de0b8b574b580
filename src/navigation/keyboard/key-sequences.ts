/** The result of a key. */
export type KeyOutcome<T> = { kind: 'done'; action: T } | { kind: 'begun' } | { kind: 'unknown' }

/** Combines keys into sequences. */
export interface KeySequences<T> {
  /** Handles the next key at a monotonic time in milliseconds. */
  press(key: string, at: number): KeyOutcome<T>
  /** Discards a started sequence. */
  reset(): void
}

/**
 * Matches keys against sequences with spaces between their keys (`g i`). A key that does not continue the
 * current sequence ends it and has no other effect: after a mistyped `g`, `e` must not resolve an issue. Only
 * a key that starts a longer sequence starts a new one.
 */
export function createKeySequences<T>(
  bindings: Readonly<Record<string, T>>,
  timeoutMs: number,
): KeySequences<T> {
  let begun = ''
  let begunAt = 0

  function isBeginning(keys: string): boolean {
    return Object.keys(bindings).some((sequence) => sequence.startsWith(`${keys} `))
  }

  return {
    press(key, at) {
      const wasBegun = begun !== '' && at - begunAt <= timeoutMs
      const keys = wasBegun ? `${begun} ${key}` : key
      begun = ''
      const action = Object.hasOwn(bindings, keys) ? bindings[keys] : undefined
      if (action !== undefined) return { kind: 'done', action }
      const longer = [keys, key].find(isBeginning)
      if (longer === undefined) return { kind: 'unknown' }
      begun = longer
      begunAt = at
      return { kind: 'begun' }
    },
    reset() {
      begun = ''
    },
  }
}
