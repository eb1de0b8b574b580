import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { createOverload } from './overload.ts'

/**
 * Admits or rejects ingest requests under overload. One per composition root.
 *
 * Everything here runs on one thread, so load shows in two places: in the length of an event-loop tick, which
 * reads what has arrived, processes it and commits a batch; and in the waiting time of requests that did not
 * fit into the batch. A burst makes both long for a moment and is accepted in full. Only when they stay long
 * does each tick get a budget; requests beyond it are rejected.
 */
export interface Admission {
  /** True while there is more than can be worked on. */
  readonly isOverloaded: boolean
  /** Admits or rejects a request; call before reading the body. */
  admit(): boolean
  /** Admits or sheds the traces of a request; under overload they are given up before other items. */
  admitTraces(): boolean
  /** Records that a request has other items than traces. */
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
  /** Calls back once at the end of this turn of the event loop. */
  onTurnEnd: (callback: () => void) => void
  log: Pick<Log, 'warn' | 'info'>
}

interface TurnBudget {
  leastMs: number
  share: number
}

/** Creates an admission that has seen no load yet. */
export function createAdmission({ now, oldestWaitMs, onTurnEnd, log }: AdmissionOptions): Admission {
  const overload = createOverload(log)
  /** Of the first request in this turn. */
  let turnStartedAt: number | undefined
  /** Where the turn before ended, if its end was seen: this one began there. */
  let turnBeganAt: number | undefined
  let lastTurnMs = 0
  let isEndAwaited = false
  const rejectedAt = new WeakMap<WeakKey, number>()
  const waiting: (() => void)[] = []

  function awaitTurnEnd(): void {
    if (isEndAwaited) return
    isEndAwaited = true
    onTurnEnd(endTurn)
  }

  /**
   * Only ticks that follow a tick with requests are measured, until a tick without requests. Other work of
   * the process between distant requests therefore makes no tick long: a tick that was not measured counts
   * from its first request.
   */
  function endTurn(): void {
    const at = now()
    isEndAwaited = false
    const beganAt = turnBeganAt ?? turnStartedAt
    if (beganAt !== undefined) lastTurnMs = at - beganAt
    if (turnStartedAt !== undefined) overload.noteTurn(at, Math.max(lastTurnMs, oldestWaitMs()))
    const isWatched = turnStartedAt !== undefined || waiting.length > 0
    turnBeganAt = isWatched ? at : undefined
    turnStartedAt = undefined
    const endsAt = at + budgetMs(limits.rejectionsPerTurn)
    sendSome(waiting, () => now() < endsAt)
    if (isWatched) awaitTurnEnd()
  }

  /** Relative to the length of the last tick: rejecting requests takes time, too, and makes ticks longer. */
  function budgetMs({ leastMs, share }: TurnBudget): number {
    return Math.max(leastMs, lastTurnMs * share)
  }

  return {
    get isOverloaded() {
      return overload.isOn
    },
    admit() {
      const at = now()
      awaitTurnEnd()
      turnStartedAt ??= at
      if (!overload.isOn) return true
      if (at - turnStartedAt < budgetMs(limits.admittedPerTurn)) return true
      overload.noteRejection(at)
      return false
    },
    admitTraces() {
      if (!overload.isOn) return true
      const at = now()
      const usedMs = at - (turnStartedAt ?? at)
      return usedMs < budgetMs(limits.admittedPerTurn) * limits.tracesOfTurn && overload.traces.admit(at)
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
        awaitTurnEnd()
      } else {
        send()
      }
    },
  }
}

/** At least one, so that the queue makes progress at any clock reading. */
function sendSome(waiting: (() => void)[], hasTime: () => boolean): void {
  let count = 0
  for (const send of waiting) {
    if (count > 0 && !hasTime()) break
    send()
    count += 1
  }
  waiting.splice(0, count)
}
