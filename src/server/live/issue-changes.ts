import { listIssueMarks, type IssueMarks } from '#server/store/issues/marks.ts'
import type { Db } from '#server/store/schema/database.ts'

/**
 * Reports new and reopened issues, whichever process wrote them. Only this module knows how changes are
 * detected: currently by polling the store.
 */
export interface IssueChanges {
  /** The current marks of the projects. */
  read(projectIds: readonly number[]): Promise<IssueMarks>
  /**
   * Calls back with the new marks of the projects that have changed, within `limits.livePollMs` and the
   * duration of a statement. Returns the function that unsubscribes.
   */
  subscribe(listener: (changed: IssueMarks) => void): () => void
}

/**
 * Reads the marks of all projects at an interval, once for all listeners, and only while there are listeners.
 */
export function createPolledIssueChanges({ db, pollMs }: { db: Db; pollMs: number }): IssueChanges {
  const listeners = new Set<(changed: IssueMarks) => void>()
  let timer: NodeJS.Timeout | undefined
  let known: IssueMarks | undefined
  let isPolling = false

  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    try {
      const marks = await listIssueMarks(db)
      const changed = findChanged(known ?? marks, marks)
      known = marks
      if (changed.size > 0) for (const listener of listeners) listener(changed)
    } catch {
      // An unavailable store is reported elsewhere; the next poll retries.
    } finally {
      isPolling = false
    }
  }

  return {
    read: (projectIds) => listIssueMarks(db, projectIds),
    subscribe(listener) {
      listeners.add(listener)
      if (timer === undefined) {
        timer = setInterval(() => void poll(), pollMs).unref()
        void poll()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
        known = undefined
      }
    },
  }
}

function findChanged(before: IssueMarks, now: IssueMarks): IssueMarks {
  return new Map(
    [...now].filter(([projectId, { lastNumber, reopenedCount }]) => {
      const known = before.get(projectId)
      return known?.lastNumber !== lastNumber || known.reopenedCount !== reopenedCount
    }),
  )
}
