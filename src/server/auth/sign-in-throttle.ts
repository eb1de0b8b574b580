import { isIP } from 'node:net'
import { limits } from '#server/limits.ts'

/** Slows down whoever guesses passwords: after a few wrong ones the next try has to wait, longer each time. */
export interface SignInThrottle {
  /** Milliseconds until the next try under these names may be made; 0 when it may be made now. */
  waitMs(names: string[]): number
  /** Counts a wrong password or code under each of the names. */
  recordFailure(names: string[]): void
  /** Forgets the failures under a name: its owner has signed in. */
  recordSuccess(name: string): void
}

interface Failures {
  count: number
  /** Unix milliseconds. */
  lastAt: number
}

/**
 * Counts wrong passwords by name (`email:…`, or a client's IP address, behind which there may be many people) in memory.
 * The first `limits.signInFreeFailures` of a person and `limits.signInFreeFailuresPerAddress` cost nothing; then the wait doubles from one second up to
 * `limits.signInWaitMs`. Names are forgotten after twice that time, and the oldest when there are too many.
 */
export function createSignInThrottle(clock: () => number): SignInThrottle {
  const failures = new Map<string, Failures>()

  const find = (name: string): Failures | undefined => {
    const found = failures.get(name)
    if (found === undefined || clock() - found.lastAt <= 2 * limits.signInWaitMs) return found
    failures.delete(name)
    return undefined
  }
  const waitOf = (name: string): number => {
    const found = find(name)
    const free = isAddress(name) ? limits.signInFreeFailuresPerAddress : limits.signInFreeFailures
    if (found === undefined || found.count <= free) return 0
    const wait = Math.min(limits.signInWaitMs, 1_000 * 2 ** (found.count - free - 1))
    // A clock that was set back must not lock anybody out for longer than the wait.
    const elapsed = Math.max(0, clock() - found.lastAt)
    return Math.max(0, wait - elapsed)
  }

  return {
    waitMs: (names) => Math.max(0, ...names.map(waitOf)),
    recordFailure(names) {
      for (const name of names) {
        const count = (find(name)?.count ?? 0) + 1
        failures.delete(name)
        failures.set(name, { count, lastAt: clock() })
      }
      for (const oldest of failures.keys()) {
        if (failures.size <= limits.signInNames) break
        failures.delete(oldest)
      }
    },
    recordSuccess(name) {
      failures.delete(name)
    },
  }
}

function isAddress(name: string): boolean {
  return isIP(name) !== 0
}
