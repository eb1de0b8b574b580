import { limits } from '#server/limits.ts'
import { expiryOf } from '#server/retention/run-report.ts'
import type { ExpiryReason } from '#server/store/events/records.ts'
import { ownPartId } from '#server/store/triage/parts.ts'
import type { ExpiryRun } from './run.ts'
import { toGroups } from './value-groups.ts'
import type { WalkedEvent } from './walked-block.ts'

/** Deletes events of a project with all dependent rows. Use within one transaction. */
export interface EventRemoval {
  /** Deletes the rows of events and their dependent rows. The caller deletes the payloads. */
  remove(events: readonly WalkedEvent[]): void
  /** Counts the deleted events, and deletes issues without events. Call it once, at the end. */
  finish(): void
}

/** Creates a removal of events for one reason. */
export function createEventRemoval(
  run: ExpiryRun,
  { projectId, reason }: { projectId: number; reason: ExpiryReason },
): EventRemoval {
  const { statements } = run
  const countsByIssue = new Map<number, number>()
  const countsByPart = new Map<number, number>()
  const digests: Uint8Array[] = []

  return {
    remove(events) {
      for (const ids of toGroups(events.map(({ eventId }) => eventId))) {
        statements.deleteEvents.run(projectId, ...ids)
        for (const statement of statements.deleteEventRows) statement.run(projectId, ...ids)
      }
      for (const { eventId, issueId, partId = ownPartId(issueId) } of events) {
        countsByIssue.set(issueId, (countsByIssue.get(issueId) ?? 0) + 1)
        countsByPart.set(partId, (countsByPart.get(partId) ?? 0) + 1)
        digests.push(eventId.subarray(0, limits.expiredDigestBytes))
      }
    },
    finish() {
      if (digests.length === 0) return
      statements.insertExpiredDigests.run(
        projectId,
        nextDigestsId(run, projectId),
        run.now,
        reason,
        digests.length,
        Buffer.concat(digests),
      )
      for (const pairs of toGroups([...countsByPart]))
        statements.countExpiredOfParts.run(...pairs.flat(), projectId)
      for (const pairs of toGroups([...countsByIssue]))
        statements.countExpired.run(...pairs.flat(), projectId)
      for (const issueId of findEmptyIssues(run, projectId, [...countsByIssue.keys()]))
        removeIssue(run, projectId, issueId)
    },
  }
}

/**
 * An unused id: another run may have created ids in the same millisecond, or before the clock was
 * set back.
 */
function nextDigestsId({ nextId, statements }: ExpiryRun, projectId: number): number {
  let id = nextId()
  while (statements.findExpiredDigests.get(projectId, id) !== undefined) id = nextId()
  return id
}

function findEmptyIssues({ statements }: ExpiryRun, projectId: number, issueIds: number[]): Set<number> {
  const rows = toGroups(issueIds).flatMap((ids) => statements.findEmptyIssues.all(...ids, projectId))
  return new Set(rows.map((row) => Number(row['id'])))
}

/**
 * Deletes an issue without events immediately. The counters under its id can be many and are deleted later;
 * until then the id is reserved, so that a recurrence of the same error does not inherit them.
 */
function removeIssue({ statements, now, report }: ExpiryRun, projectId: number, issueId: number): void {
  statements.insertExpiredIssue.run(projectId, issueId, now)
  statements.insertExpiredParts.run(now, projectId, issueId)
  statements.deleteParts.run(projectId, issueId)
  statements.deleteIssueHashes.run(projectId, issueId)
  statements.deleteIssue.run(projectId, issueId)
  expiryOf(report, projectId).issueCount += 1
}
