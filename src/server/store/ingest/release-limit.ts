import { limits } from '#server/limits.ts'
import { dayOf } from '#time/time-steps.ts'

/** Limits how many releases a project's events and transactions create per day. */
export interface ReleaseLimit {
  /** Returns whether the project may create a release now, in Unix milliseconds, and counts it. */
  admits(projectId: number, now: number): boolean
  /** Call after the transaction has been committed. */
  committed(): void
  /** Call after a rollback, also to a savepoint: the releases since the last commit do not exist. */
  rolledBack(): void
}

/** Counts in memory: a restart allows further releases. */
export function createReleaseLimit(): ReleaseLimit {
  let today = 0
  const counts = new Map<number, number>()
  const pending = new Map<number, number>()
  return {
    admits(projectId, now) {
      if (dayOf(now) !== today) {
        today = dayOf(now)
        counts.clear()
      }
      const created = pending.get(projectId) ?? 0
      if ((counts.get(projectId) ?? 0) + created >= limits.releasesPerDay) return false
      pending.set(projectId, created + 1)
      return true
    },
    committed() {
      for (const [projectId, created] of pending)
        counts.set(projectId, (counts.get(projectId) ?? 0) + created)
      pending.clear()
    },
    rolledBack: () => pending.clear(),
  }
}
