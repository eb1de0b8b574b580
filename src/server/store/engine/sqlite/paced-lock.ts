import { limits } from '#server/limits.ts'
import type { Lock } from './lock.ts'

/**
 * A read waited for longer than `limits.readWaitMs`: there are more reads than the server can process. A
 * retry may succeed.
 */
export class ReadTimeoutError extends Error {
  override readonly name = 'ReadTimeoutError'

  constructor() {
    super(`a read waited more than ${limits.readWaitMs} ms for its turn`)
  }
}

/** The clock and the timer; `performance.now` and `setImmediate` in production. */
export interface LockTiming {
  now: () => number
  nextTick: (resume: () => void) => void
}

const realPace: LockTiming = {
  now: () => performance.now(),
  nextTick: (resume) => void setImmediate(resume),
}

/**
 * A lock for statements that run on the event loop: one at a time, in FIFO order, and all statements of one
 * tick together for at most `limits.readTickMs` plus one statement. The others wait for later ticks, so that
 * events are accepted in between. `acquire` rejects with a `ReadTimeoutError` after too long a wait.
 */
export function createPacedLock({ now, nextTick }: LockTiming = realPace): Pick<Lock, 'acquire' | 'release'> {
  const waiting: { since: number; resolve: () => void; reject: (error: Error) => void }[] = []
  let isHeld = false
  let isTickScheduled = false
  let heldSince = 0
  let usedMs = 0

  const take = () => {
    isHeld = true
    heldSince = now()
    scheduleTick()
  }

  /** The used time is reset at the next tick. */
  const scheduleTick = () => {
    if (isTickScheduled) return
    isTickScheduled = true
    nextTick(() => {
      isTickScheduled = false
      usedMs = 0
      serveNext()
    })
  }

  const rejectLate = () => {
    while (waiting[0] !== undefined && now() - waiting[0].since > limits.readWaitMs)
      waiting.shift()?.reject(new ReadTimeoutError())
  }

  const serveNext = () => {
    if (isHeld) return
    rejectLate()
    if (waiting.length > 0 && usedMs >= limits.readTickMs) {
      scheduleTick()
      return
    }
    const next = waiting.shift()
    if (next === undefined) return
    take()
    next.resolve()
  }

  return {
    acquire() {
      if (!isHeld && waiting.length === 0 && usedMs < limits.readTickMs) {
        take()
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        waiting.push({ since: now(), resolve, reject })
        serveNext()
      })
    },
    release() {
      isHeld = false
      usedMs += now() - heldSince
      serveNext()
    },
  }
}
