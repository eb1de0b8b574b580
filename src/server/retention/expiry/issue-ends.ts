import { fromIdBytes } from '#server/store/binary-id.ts'
import type { ExpiryStatements } from './statements.ts'
import { toBytes, type WalkedEvent } from './walked-block.ts'

/** Knows which events are the first and the latest one of their issue, among those that are kept. */
export interface EndFinder {
  /** True for an event that is deleted last. */
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
 * Looks the ends of each issue up once, so use it for one transaction only: an event that arrives late may be
 * a new end.
 *
 * An issue that is gone, or whose latest event was received before `cutoffAt`, has no ends: nothing of it
 * stays.
 */
export function createEndFinder(
  statements: ExpiryStatements,
  { projectId, cutoffAt }: { projectId: number; cutoffAt: number },
): EndFinder {
  const known = new Map<number, IssueEnds | undefined>()

  const readEnds = (issueId: number): IssueEnds | undefined => {
    const row = statements.findEnds.get(projectId, issueId)
    if (!row?.['latest_event_id']) return undefined
    return {
      first: fromIdBytes(toBytes(row['first_event_id'])),
      latest: fromIdBytes(toBytes(row['latest_event_id'])),
      isYoung: Number(row['latest_received_at']) >= cutoffAt,
    }
  }
  const findEnds = (issueId: number) => {
    if (!known.has(issueId)) known.set(issueId, readEnds(issueId))
    return known.get(issueId)
  }

  return {
    isEnd({ issueId, eventId }) {
      const ends = findEnds(issueId)
      if (ends === undefined || !ends.isYoung) return false
      const id = fromIdBytes(eventId)
      return id === ends.first || id === ends.latest
    },
    isLatest: ({ issueId, eventId }) => findEnds(issueId)?.latest === fromIdBytes(eventId),
  }
}
