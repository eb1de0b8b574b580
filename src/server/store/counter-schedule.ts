import { limits } from '#server/limits.ts'

/** When events are added to the counters of their issues: in their transaction while few come in, else together, a moment later. */
export interface CounterSchedule {
  /** Says whether so many more events may be counted at once. If not, they wait from now on. */
  mayCountAtOnce(eventCount: number): boolean
  /** True when it is time to fold what waits. */
  isDue(): boolean
  /** Makes it time now, if anything waits. */
  hurry(): void
  /** To be told of every fold: how many events it counted; fewer than `limits.counterFoldEvents` means that none wait. */
  folded(eventCount: number): void
  /** To be told when a fold failed: it is tried again after `limits.counterFoldDelayMs`. */
  failed(): void
}

export interface CounterScheduleOptions {
  /** Unix milliseconds. */
  clock: () => number
  /** Events that an earlier process left uncounted. */
  waitingEvents: number
  /** Called when waiting events have become due by themselves. */
  onDue: () => void
}

/** A schedule whose timer does not keep the process alive: what waits is on disk, and the next start finds it. */
export function createCounterSchedule({
  clock,
  waitingEvents,
  onDue,
}: CounterScheduleOptions): CounterSchedule {
  let waiting = waitingEvents
  let state: 'idle' | 'timed' | 'late' | 'failed' = 'idle'
  let countedSince = 0
  let countedEvents = 0

  const startTimer = (next: 'timed' | 'failed') => {
    state = next
    setTimeout(() => {
      if (state !== next) return
      state = 'late'
      onDue()
    }, limits.counterFoldDelayMs).unref()
  }
  if (waiting > 0) startTimer('timed')

  return {
    mayCountAtOnce(eventCount) {
      const now = clock()
      if (Math.abs(now - countedSince) >= 1_000) {
        countedSince = now
        countedEvents = 0
      }
      if (countedEvents + eventCount <= limits.countersAtOncePerSecond) {
        countedEvents += eventCount
        return true
      }
      waiting += eventCount
      if (state === 'idle') startTimer('timed')
      return false
    },
    isDue: () =>
      waiting > 0 && (state === 'late' || (state === 'timed' && waiting >= limits.counterFoldEvents)),
    hurry() {
      if (waiting > 0) state = 'late'
    },
    folded(eventCount) {
      waiting = eventCount < limits.counterFoldEvents ? 0 : Math.max(1, waiting - eventCount)
      if (waiting === 0) state = 'idle'
    },
    failed: () => startTimer('failed'),
  }
}
