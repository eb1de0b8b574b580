import { limits } from '#server/limits.ts'
import { dayOf } from '#time/time-steps.ts'

/** Limits how many releases the events of a project create per day. */
export interface ReleaseLimit {
  /** Returns whether the project may create a release now, in Unix milliseconds, and counts it. */
  admits(projectId: number, now: number): boolean
}

/** Counts in memory: a restart allows further releases. */
export function createReleaseLimit(): ReleaseLimit {
  let today = 0
  const counts = new Map<number, number>()
  return {
    admits(projectId, now) {
      if (dayOf(now) !== today) {
        today = dayOf(now)
        counts.clear()
      }
      const count = counts.get(projectId) ?? 0
      if (count >= limits.releasesPerDay) return false
      counts.set(projectId, count + 1)
      return true
    },
  }
}
