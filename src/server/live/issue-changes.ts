import type { Kysely } from 'kysely'
import { listIssueMarks, type IssueMarks } from '#server/store/issues/marks.ts'
import type { Database } from '#server/store/schema/database.ts'

/**
 * Reports new and reopened issues, whichever process wrote them. The one place that knows how changes are
 * found: by polling the store, or later by a notification of the database.
 */
export interface IssueChanges {
  /** The marks of these projects as they are now. */
  read(projectIds: readonly number[]): Promise<IssueMarks>
  /**
   * Calls back with the new marks of the projects that have changed, within `limits.liveLookMs` and the time
   * of a statement. Returns the function that ends it.
   */
  subscribe(listener: (changed: IssueMarks) => void): () => void
}

/**
 * Reads the marks of all projects at an interval, once for all listeners and not at all while there are none.
 */
export function createPolledIssueChanges({
  db,
  lookMs,
}: {
  db: Kysely<Database>
  lookMs: number
}): IssueChanges {
  const listeners = new Set<(changed: IssueMarks) => void>()
  let timer: NodeJS.Timeout | undefined
  let known: IssueMarks | undefined
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const marks = await listIssueMarks(db)
      const changed = findChanged(known ?? marks, marks)
      known = marks
      if (changed.size > 0) for (const listener of listeners) listener(changed)
    } catch {
      // A store that cannot be read is reported elsewhere; the next look reads again.
    } finally {
      isLooking = false
    }
  }

  return {
    read: (projectIds) => listIssueMarks(db, projectIds),
    subscribe(listener) {
      listeners.add(listener)
      if (timer === undefined) {
        timer = setInterval(() => void look(), lookMs).unref()
        void look()
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
