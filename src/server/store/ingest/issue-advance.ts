import { fromIdBytes, toIdBytes } from '#server/store/binary-id.ts'
import { isEarlier } from './issue-batch-counts.ts'
import type { EventPoint, IssueAdvance, IssueBatchCounts, LatestEvent } from './issue-batch-counts.ts'
import type { IssueRowStatements } from './statements.ts'

/** The row of an issue before it is advanced. */
export interface IssueBefore {
  latest: EventPoint
  title: string
  culprit: string
}

/** The update of an issue's row by a batch with stored events. */
export function toIssueAdvance(
  { eventCount, latestReleased }: IssueBatchCounts,
  latest: LatestEvent,
): IssueAdvance {
  const { occurredAt, eventId, type, title, subtitle, culprit, level, platform, logger, message } = latest
  return {
    eventCount,
    // Only these fields are kept: the event itself would keep its payload in memory.
    latest: { occurredAt, eventId, type, title, subtitle, culprit, level, platform, logger, message },
    release: latestReleased?.release,
  }
}

/** The combination of two updates, where `later` was written after `one`. */
export function addAdvances(one: IssueAdvance | undefined, later: IssueAdvance): IssueAdvance {
  if (one === undefined) return later
  const eventCount = one.eventCount + later.eventCount
  const [newer, older] = isEarlier(one.latest, later.latest) ? [later, one] : [one, later]
  return { eventCount, latest: newer.latest, release: newer.release ?? older.release }
}

/** Writes an update. Returns the texts of the issue's latest event if it is one of the added events. */
export function writeAdvance(
  rows: IssueRowStatements,
  key: readonly [projectId: number, issueId: number],
  { before, advance }: { before: IssueBefore; advance: IssueAdvance },
): LatestEvent | undefined {
  const { eventCount, latest, release } = advance
  if (!isEarlier(before.latest, latest)) {
    rows.countIssueEvents.run(eventCount, ...key)
    return undefined
  }
  rows.advanceIssue.run(
    eventCount,
    latest.occurredAt,
    toIdBytes(latest.eventId),
    release ?? null,
    latest.type,
    latest.subtitle,
    latest.level,
    latest.platform,
    latest.logger ?? null,
    latest.message ?? null,
    ...key,
  )
  if (latest.title !== before.title || latest.culprit !== before.culprit)
    rows.retitleIssue.run(latest.title, latest.culprit, ...key)
  return latest
}

/** The event position in the columns of a row. */
export function toEventPoint(occurredAt: unknown, eventId: unknown): EventPoint {
  if (!(eventId instanceof Uint8Array)) throw new TypeError('an event id is stored as bytes')
  return { occurredAt: Number(occurredAt), eventId: fromIdBytes(eventId) }
}
