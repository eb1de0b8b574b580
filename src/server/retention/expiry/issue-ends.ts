import { fromIdBytes } from '#server/store/binary-id.ts'
import type { SqlRow } from '#server/store/engine/connection.ts'
import type { ExpiryStatements } from './statements.ts'
import { toGroups } from './value-groups.ts'
import { toBytes, type WalkedEvent } from './walked-block.ts'

/** Finds the first and the latest stored event of issues. */
export interface EndFinder {
  /** Looks up the issues of these events. Call it before the other two. */
  read(events: readonly WalkedEvent[]): void
  /** True for the first or latest event of an issue, which is deleted last. */
  isEnd(event: WalkedEvent): boolean
  /** True for the latest event of an issue; the issue is deleted with it. */
  isLatest(event: WalkedEvent): boolean
}

interface IssueEnds {
  first: string
  latest: string
  isYoung: boolean
}

/**
 * Looks up the ends of each issue once, so use it for one transaction only: an event that arrives late may be
 * a new end. A deleted issue, or one whose latest event was received before `cutoffAt`, has no ends: all of
 * it is deleted.
 */
export function createEndFinder(
  statements: ExpiryStatements,
  { projectId, cutoffAt }: { projectId: number; cutoffAt: number },
): EndFinder {
  const known = new Map<number, IssueEnds | undefined>()

  const toEnds = (row: SqlRow): IssueEnds | undefined => {
    if (!row['latest_event_id']) return undefined
    return {
      first: fromIdBytes(toBytes(row['first_event_id'])),
      latest: fromIdBytes(toBytes(row['latest_event_id'])),
      isYoung: Number(row['latest_received_at']) >= cutoffAt,
    }
  }

  return {
    read(events) {
      const unknown = new Set(events.map(({ issueId }) => issueId).filter((id) => !known.has(id)))
      for (const id of unknown) known.set(id, undefined)
      for (const ids of toGroups([...unknown])) {
        for (const row of statements.findEnds.all(projectId, ...ids))
          known.set(Number(row['id']), toEnds(row))
      }
    },
    isEnd({ issueId, eventId }) {
      const ends = known.get(issueId)
      if (ends === undefined || !ends.isYoung) return false
      const id = fromIdBytes(eventId)
      return id === ends.first || id === ends.latest
    },
    isLatest: ({ issueId, eventId }) => known.get(issueId)?.latest === fromIdBytes(eventId),
  }
}
