import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { createOverload } from './overload.ts'

/**
 * Admits or rejects ingest requests under overload. One per composition root.
 *
 * Ingest runs on one thread, so load is measured by the length of an event-loop tick, which reads requests,
 * processes them and commits a batch, and by the waiting time of requests that did not fit into the batch. A
 * burst increases both briefly and is accepted in full. If they stay high, each tick has a time budget, and
 * requests beyond it are rejected.
 */
export interface Admission {
  /** True while more requests arrive than can be processed. */
  readonly isOverloaded: boolean
  /** Admits or rejects a request; call before reading the body. */
  admit(): boolean
  /** Admits or drops the traces of a request; under overload they are dropped before other items. */
  admitTraces(): boolean
  /** Records that a request contains items other than traces. */
  noteOthers(): void
  /**
   * Calls `send` when there is time to answer a rejected request: immediately, or, if the same `client` was
   * rejected before and retried too early, in a small share of each tick. Otherwise a client that retries in
   * a loop would get most of the time. A client is identified by its connection.
   */
  reject(client: WeakKey, send: () => void): void
}

/** The measurements that an admission needs. */
export interface AdmissionOptions {
  /** Milliseconds of a monotonic clock. */
  now: () => number
  /** Waiting time in milliseconds of the oldest request that is queued for processing or for its commit. */
  oldestWaitMs: () => number
  /** Calls back once at the end of this tick of the event loop. */
  onTickEnd: (callback: () => void) => void
  log: Pick<Log, 'warn' | 'info'>
}

interface TickBudget {
  leastMs: number
  share: number
}

/** Creates an admission without measurements. */
export function createAdmission({ now, oldestWaitMs, onTickEnd, log }: AdmissionOptions): Admission {
  const overload = createOverload(log)
  /** When the first request of this tick arrived. */
  let firstRequestAt: number | undefined
  /** When the previous tick ended, if its end was observed: this one began then. */
  let tickBeganAt: number | undefined
  let lastTickMs = 0
  let isEndAwaited = false
  const rejectedAt = new WeakMap<WeakKey, number>()
  const waiting: (() => void)[] = []

  function awaitTickEnd(): void {
    if (isEndAwaited) return
    isEndAwaited = true
    onTickEnd(endTick)
  }

  /**
   * Measures only ticks that follow a tick with requests. Other work of the process between infrequent
   * requests therefore makes no tick long: after an unmeasured tick, the time counts from the first request.
   */
  function endTick(): void {
    const at = now()
    isEndAwaited = false
    const beganAt = tickBeganAt ?? firstRequestAt
    if (beganAt !== undefined) lastTickMs = at - beganAt
    if (firstRequestAt !== undefined) overload.noteTick(at, Math.max(lastTickMs, oldestWaitMs()))
    const isWatched = firstRequestAt !== undefined || waiting.length > 0
    tickBeganAt = isWatched ? at : undefined
    firstRequestAt = undefined
    const endsAt = at + budgetMs(limits.rejectionsPerTick)
    sendSome(waiting, () => now() < endsAt)
    if (isWatched) awaitTickEnd()
  }

  /** Relative to the length of the last tick: rejecting requests takes time, too, and makes ticks longer. */
  function budgetMs({ leastMs, share }: TickBudget): number {
    return Math.max(leastMs, lastTickMs * share)
  }

  return {
    get isOverloaded() {
      return overload.isOn
    },
    admit() {
      const at = now()
      awaitTickEnd()
      firstRequestAt ??= at
      if (!overload.isOn) return true
      if (at - firstRequestAt < budgetMs(limits.admittedPerTick)) return true
      overload.noteRejection(at)
      return false
    },
    admitTraces() {
      if (!overload.isOn) return true
      const at = now()
      const usedMs = at - (firstRequestAt ?? at)
      return usedMs < budgetMs(limits.admittedPerTick) * limits.tracesOfTick && overload.traces.admit(at)
    },
    noteOthers() {
      if (overload.isOn) overload.traces.noteOthers(now())
    },
    reject(client, send) {
      const at = now()
      const lastAt = rejectedAt.get(client)
      rejectedAt.set(client, at)
      const isHasty = lastAt !== undefined && at - lastAt < limits.overloadRetryAfterSeconds * 1000
      if (overload.isOn && isHasty) {
        waiting.push(send)
        awaitTickEnd()
      } else {
        send()
      }
    },
  }
}

/** At least one, so that the queue makes progress regardless of the clock. */
function sendSome(waiting: (() => void)[], hasTime: () => boolean): void {
  let count = 0
  for (const send of waiting) {
    if (count > 0 && !hasTime()) break
    send()
    count += 1
  }
  waiting.splice(0, count)
}
