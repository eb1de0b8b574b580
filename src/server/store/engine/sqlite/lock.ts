/**
 * Mutual exclusion inside one process, in FIFO order.
 *
 * The committer's transactions are synchronous and need no lock among themselves; a Kysely transaction on the
 * same connection spans several event-loop ticks, and no other transaction may begin meanwhile.
 */
export interface Lock {
  /** Acquires the lock if it is free. Returns whether the caller has it. */
  tryAcquire(): boolean
  /** Resolves once the caller has the lock. */
  acquire(): Promise<void>
  /** Passes the lock to the longest waiting caller. */
  release(): void
}

/** Creates a free lock. */
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
