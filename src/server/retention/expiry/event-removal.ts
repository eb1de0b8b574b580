import { limits } from '#server/limits.ts'
import { expiryOf } from '#server/retention/run-report.ts'
import type { ExpiryReason } from '#server/store/events/records.ts'
import { ownPartId } from '#server/store/triage/parts.ts'
import type { ExpiryRun } from './run.ts'
import type { WalkedEvent } from './walked-block.ts'

/** Deletes events of a project, with all dependent rows. For one transaction. */
export interface EventRemoval {
  /** Deletes the event's row and the rows that belong to it; its payload is the caller's business. */
  remove(event: WalkedEvent): void
  /** Counts what was deleted, and deletes the issues that have no event left. Call it once, last. */
  finish(): void
}

/** Begins to delete events for one reason. */
export function createEventRemoval(
  run: ExpiryRun,
  { projectId, reason }: { projectId: number; reason: ExpiryReason },
): EventRemoval {
  const { statements } = run
  const countsByIssue = new Map<number, number>()
  const countsByPart = new Map<number, number>()
  const digests: Uint8Array[] = []

  return {
    remove({ eventId, issueId, partId = ownPartId(issueId) }) {
      statements.deleteEvent.run(projectId, eventId)
      for (const statement of statements.deleteEventRows) statement.run(projectId, eventId)
      countsByIssue.set(issueId, (countsByIssue.get(issueId) ?? 0) + 1)
      countsByPart.set(partId, (countsByPart.get(partId) ?? 0) + 1)
      digests.push(eventId.subarray(0, limits.expiredDigestBytes))
    },
    finish() {
      if (digests.length === 0) return
      statements.insertExpiredDigests.run(
        projectId,
        run.nextId(),
        run.now,
        reason,
        digests.length,
        Buffer.concat(digests),
      )
      for (const [partId, count] of countsByPart) statements.countExpiredOfPart.run(count, projectId, partId)
      for (const [issueId, count] of countsByIssue) {
        statements.countExpired.run(count, projectId, issueId)
        if (statements.findAnyEvent.get(projectId, issueId) === undefined)
          removeIssue(run, projectId, issueId)
      }
    },
  }
}

/**
 * Deletes an issue without events immediately, for all readers. The rows counted under its id can be many and
 * are deleted later; until then the id is reserved, so that the same error, when it returns, does not inherit
 * them.
 */
function removeIssue({ statements, now, report }: ExpiryRun, projectId: number, issueId: number): void {
  statements.insertExpiredIssue.run(projectId, issueId, now)
  statements.insertExpiredParts.run(now, projectId, issueId)
  statements.deleteParts.run(projectId, issueId)
  statements.deleteIssueHashes.run(projectId, issueId)
  statements.deleteIssue.run(projectId, issueId)
  expiryOf(report, projectId).issueCount += 1
}
