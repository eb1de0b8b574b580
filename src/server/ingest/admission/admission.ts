import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { createOverload } from './overload.ts'

/**
 * Decides which ingest requests are worked on when more come than can be. One per composition root.
 *
 * Everything here runs on one thread, so what waits shows in two places: in how long a turn of the event loop
 * takes, which reads what has arrived, works on it and commits a batch of it; and in how long what did not
 * fit into the batch waits for the next ones. A burst makes both long for a moment and is taken whole. Only
 * when they stay long does each turn get a budget, and what comes beyond it is refused.
 */
export interface Admission {
  /** True while there is more than can be worked on. */
  readonly isOverloaded: boolean
  /** Says whether a request may be worked on. To be asked before its body is read. */
  admit(): boolean
  /**
   * Calls `send` when there is time to answer a request that is refused: at once, or, where the same `client`
   * was refused and did not wait as it was told, in a small share of each turn. A client that comes again and
   * again would otherwise get most of the time. A client is known by its connection.
   */
  refuse(client: WeakKey, send: () => void): void
}

/** What an admission measures with. */
export interface AdmissionOptions {
  /** Milliseconds of a clock that never goes back. */
  now: () => number
  /** Milliseconds for which the oldest request has waited to be worked on, or for its commit. */
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
  const refusedAt = new WeakMap<WeakKey, number>()
  const waiting: (() => void)[] = []

  function awaitTurnEnd(): void {
    if (isEndAwaited) return
    isEndAwaited = true
    onTurnEnd(endTurn)
  }

  /**
   * The turn that follows one with requests is watched from its begin, and the watch ends with a turn in
   * which none came. So what else the process does between requests that are far apart makes no turn long:
   * one that was not watched counts from its first request.
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
    sendRefusals(at)
    if (isWatched) awaitTurnEnd()
  }

  /** Of a turn as long as the last one: reading what is refused takes time, too, and makes turns longer. */
  function budgetMs({ leastMs, share }: TurnBudget): number {
    return Math.max(leastMs, lastTurnMs * share)
  }

  function sendRefusals(startedAt: number): void {
    const endsAt = startedAt + budgetMs(limits.refusalsPerTurn)
    let count = 0
    for (const send of waiting) {
      // At least one, so that the line moves whatever the clock says.
      if (count > 0 && now() >= endsAt) break
      send()
      count += 1
    }
    waiting.splice(0, count)
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
      overload.noteRefusal(at)
      return false
    },
    refuse(client, send) {
      const at = now()
      const lastAt = refusedAt.get(client)
      refusedAt.set(client, at)
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
