import { limits } from '#server/limits.ts'

/**
 * Decides when events are added to the counters of their issues: at a low rate in their own transaction,
 * otherwise later, together with others. Each slice is folded once per `limits.counterFoldDelayMs`.
 */
export interface CounterSchedule {
  /** The next slice to fold. */
  readonly slice: number
  /**
   * True if this many more events may be counted immediately: at most `limits.countersAtOncePerSecond`, and
   * none in the second after a second that exceeded it. Otherwise their counts are deferred.
   */
  canCountNow(eventCount: number): boolean
  /** Call when counts were deferred: the timer makes one slice after another due. */
  expectFold(): void
  /** True if the next slice is due. */
  isDue(): boolean
  /** True while all pending deltas are due. */
  readonly isFlushing: boolean
  /** True if the last fold failed and has to be repeated. */
  readonly hasFailed: boolean
  /** Makes all pending deltas due now. */
  flush(): void
  /**
   * Call when `slice` has been folded. `isClean`: no pending deltas are left. Otherwise another transaction
   * had locked their projects, and they are folded when it is the slice's turn again.
   */
  folded(isClean: boolean): void
  /** Call when a fold failed: it is retried after `limits.counterFoldDelayMs`. */
  failed(): void
  /** Call when no more folds are possible. */
  end(): void
}

export interface CounterScheduleOptions {
  /** Unix milliseconds. */
  clock: () => number
  /** Uncounted events and deltas that an earlier process has left. */
  waitingEvents: number
  /** Called when the timer makes the next slice due. */
  onDue: () => void
}

/**
 * Creates a schedule whose timer does not keep the process alive: pending deltas are on disk, and the next
 * start finds them.
 */
export function createCounterSchedule({
  clock,
  waitingEvents,
  onDue,
}: CounterScheduleOptions): CounterSchedule {
  const sliceDelayMs = limits.counterFoldDelayMs / limits.counterFoldSlices
  let state: 'idle' | 'timed' | 'due' | 'flushing' | 'failed' = 'idle'
  let slice = 0
  /** Consecutive slices up to the last one that have no pending deltas. */
  let cleanSlices: number = limits.counterFoldSlices
  /** When the second began in which events are currently counted. */
  let secondBeganAt = 0
  let arrivedEvents = 0
  let wasFlooded = false

  const startTimer = (next: 'timed' | 'failed', delayMs: number) => {
    state = next
    setTimeout(() => {
      if (state !== next) return
      state = 'due'
      onDue()
    }, delayMs).unref()
  }
  const scheduleFold = () => {
    cleanSlices = 0
    if (state === 'idle') startTimer('timed', sliceDelayMs)
  }
  if (waitingEvents > 0) scheduleFold()

  return {
    get slice() {
      return slice
    },
    canCountNow(eventCount) {
      const now = clock()
      const elapsedMs = Math.abs(now - secondBeganAt)
      if (elapsedMs >= 1_000) {
        wasFlooded = elapsedMs < 2_000 && arrivedEvents > limits.countersAtOncePerSecond
        secondBeganAt = now
        arrivedEvents = 0
      }
      arrivedEvents += eventCount
      if (!wasFlooded && arrivedEvents <= limits.countersAtOncePerSecond) return true
      scheduleFold()
      return false
    },
    expectFold: scheduleFold,
    get isFlushing() {
      return state === 'flushing'
    },
    get hasFailed() {
      return state === 'failed'
    },
    isDue: () => state === 'due' || state === 'flushing',
    flush() {
      if (cleanSlices < limits.counterFoldSlices) state = 'flushing'
    },
    folded(isClean) {
      slice = (slice + 1) % limits.counterFoldSlices
      // While flushing, deltas that remain belong to another process, which folds them.
      cleanSlices = isClean || state === 'flushing' ? cleanSlices + 1 : 0
      if (cleanSlices >= limits.counterFoldSlices) state = 'idle'
      else if (state !== 'flushing') startTimer('timed', sliceDelayMs)
    },
    failed: () => startTimer('failed', limits.counterFoldDelayMs),
    end() {
      cleanSlices = limits.counterFoldSlices
      state = 'idle'
    },
  }
}
