/**
 * Mutual exclusion inside one process, first come, first served.
 *
 * The committer's transactions are synchronous and need no lock among themselves; a Kysely transaction on the
 * same connection spans several turns of the event loop, and nobody may begin another one meanwhile.
 */
export interface Lock {
  /** True when the lock was free and is now the caller's. */
  tryAcquire(): boolean
  /** Resolves once the lock is the caller's. */
  acquire(): Promise<void>
  /** Hands the lock to whoever has waited longest. */
  release(): void
}

/** A free lock. */
export function createLock(): Lock {
  const waiting: (() => void)[] = []
  let isHeld = false
  return {
    tryAcquire() {
      if (isHeld) return false
      isHeld = true
      return true
    },
    acquire() {
      if (!isHeld) {
        isHeld = true
        return Promise.resolve()
      }
      return new Promise((resolve) => waiting.push(resolve))
    },
    release() {
      const next = waiting.shift()
      if (next) next()
      else isHeld = false
    },
  }
}
