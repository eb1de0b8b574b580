import { createHash } from 'node:crypto'
import { limits } from '#server/limits.ts'
import {
  readFailures,
  recordTry,
  retractAttempt,
  type FailureCount,
  type NewCount,
} from '#server/store/accounts/sign-in-failures.ts'
import type { Store } from '#server/store/store.ts'

/** How failures under one rule delay the next attempt. */
interface ThrottleRule {
  /** Failures without a delay. */
  freeFailures: number
  /** The delay after one more failure; it doubles with each further one. */
  firstWaitMs: number
  maxWaitMs: number
  /** How long after the last failure all of them expire. */
  memoryMs: number
  /** True if a successful attempt clears all earlier failures, and not only itself. */
  isClearedBySuccess: boolean
}

const doubling = { firstWaitMs: 1_000, maxWaitMs: limits.signInWaitMs }

const rules = {
  /** One account from one client network. */
  pair: {
    ...doubling,
    freeFailures: limits.signInFreeFailures,
    memoryMs: limits.signInMemoryMs,
    isClearedBySuccess: true,
  },
  /** One client network, for all accounts. A success of one user does not reset failures of others. */
  network: {
    ...doubling,
    freeFailures: limits.signInFreeFailuresPerAddress,
    memoryMs: limits.signInNetworkMemoryMs,
    isClearedBySuccess: false,
  },
  /** One account from anywhere: guesses from many networks. */
  account: {
    ...doubling,
    freeFailures: limits.signInFreeFailuresPerAccount,
    memoryMs: limits.signInAccountMemoryMs,
    isClearedBySuccess: true,
  },
  /** The codes of one second factor: locked instead of increasingly delayed. */
  code: {
    firstWaitMs: limits.secondFactorLockMs,
    maxWaitMs: limits.secondFactorLockMs,
    freeFailures: limits.secondFactorFailures,
    memoryMs: limits.secondFactorLockMs,
    isClearedBySuccess: true,
  },
  /** Requests for a mailed link to one address from one client network, whether it has an account or not. */
  linkPair: {
    ...doubling,
    freeFailures: limits.linkFreeRequests,
    memoryMs: limits.signInMemoryMs,
    isClearedBySuccess: false,
  },
  /** Requests for mailed links from one client network. They do not delay its sign-ins. */
  linkNetwork: {
    ...doubling,
    freeFailures: limits.linkFreeRequestsPerNetwork,
    memoryMs: limits.signInNetworkMemoryMs,
    isClearedBySuccess: false,
  },
  /** Mails with a link to one account, counted for all clients together. */
  passwordMail: {
    firstWaitMs: limits.passwordMailMs,
    maxWaitMs: limits.passwordMailMaxMs,
    freeFailures: 1,
    memoryMs: limits.signInAccountMemoryMs,
    isClearedBySuccess: true,
  },
} as const satisfies Record<string, ThrottleRule>

/** The keys by which attempts are counted. */
export interface ThrottledName {
  rule: keyof typeof rules
  /** Unique within the rule. */
  text: string
}

/** An admitted attempt. It counts as failed until it is completed. */
export interface Try {
  kind: 'go'
  /** Call if it was correct. */
  succeed(): Promise<void>
  /** Call if it was not checked. */
  cancel(): Promise<void>
}

/** Delays guesses of passwords and codes, and requests for mails. */
export interface SignInThrottle {
  /**
   * Counts an attempt under every name, or returns how long to wait before the next one; an attempt that has
   * to wait is not counted. Of any number of concurrent attempts, in any number of processes, only as many
   * are admitted as would be sequentially.
   */
  begin(names: ThrottledName[]): Promise<Try | { kind: 'wait'; waitMs: number }>
}

/**
 * The clocks of several machines on one store differ; a failure further in the future is from before a clock
 * was set back.
 */
const clockSkewMs = 60_000

/** Counts in the store. An attempt that has to wait costs one read, every other one a transaction. */
export function createSignInThrottle(store: Store): SignInThrottle {
  const known = (name: ThrottledName, counts: ReadonlyMap<string, FailureCount>) => {
    const found = counts.get(hashOf(name))
    const age = found === undefined ? Number.NaN : store.clock() - found.lastAt
    const isKept = age >= -clockSkewMs && age < rules[name.rule].memoryMs
    return found !== undefined && isKept ? { count: found.count, ageMs: Math.max(0, age) } : undefined
  }

  const waitMsOf = (name: ThrottledName, counts: ReadonlyMap<string, FailureCount>): number => {
    const failures = known(name, counts)
    const { freeFailures, firstWaitMs, maxWaitMs } = rules[name.rule]
    if (failures === undefined || failures.count < freeFailures) return 0
    const waitMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (failures.count - freeFailures))
    return Math.max(0, waitMs - failures.ageMs)
  }

  const longestWaitMs = (names: ThrottledName[], counts: ReadonlyMap<string, FailureCount>) =>
    Math.max(0, ...names.map((name) => waitMsOf(name, counts)))

  const countOneMore = (name: ThrottledName, counts: ReadonlyMap<string, FailureCount>): NewCount => ({
    nameHash: hashOf(name),
    count: (known(name, counts)?.count ?? 0) + 1,
    forgetAt: store.clock() + rules[name.rule].memoryMs,
  })

  return {
    async begin(names) {
      const hashes = names.map(hashOf)
      let waitMs = longestWaitMs(names, await readFailures(store.db, hashes))
      if (waitMs > 0) return { kind: 'wait', waitMs }
      const isCounted = await recordTry(store, hashes, (counts) => {
        waitMs = longestWaitMs(names, counts)
        return waitMs > 0 ? undefined : names.map((name) => countOneMore(name, counts))
      })
      if (!isCounted) return { kind: 'wait', waitMs }
      return {
        kind: 'go',
        succeed: () =>
          retractAttempt(store, {
            cleared: names.filter(isCleared).map(hashOf),
            lessened: names.filter((name) => !isCleared(name)).map(hashOf),
          }),
        cancel: () => retractAttempt(store, { cleared: [], lessened: hashes }),
      }
    },
  }
}

function isCleared({ rule }: ThrottledName): boolean {
  return rules[rule].isClearedBySuccess
}

function hashOf({ rule, text }: ThrottledName): string {
  return createHash('sha256').update(`${rule}\0${text}`).digest('hex')
}
