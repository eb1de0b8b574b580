import { randomUUID } from 'node:crypto'
import type { CommitEntry, DeadLetter } from '#server/store/ingest/records.ts'
import type { IngestStatements } from '#server/store/ingest/statements.ts'
import { hourOf } from '#time/time-steps.ts'

/** Stores an item for inspection. Call inside the batch's transaction. */
export function writeDeadLetter(statements: IngestStatements, letter: DeadLetter): void {
  const { projectId, itemType, category, reason, receivedAt, origin = {}, payload } = letter
  statements.insertDeadLetter.run(
    projectId,
    randomUUID(),
    itemType,
    category,
    reason,
    receivedAt,
    JSON.stringify(origin),
    payload,
  )
}

/**
 * Deletes and uncounts the dead letter that an entry is a retry of, inside the transaction that writes the
 * entry. Returns false if it was deleted concurrently: in that case the entry must not be written.
 */
export function removeDeadLetter(statements: IngestStatements, { retryOf }: CommitEntry): boolean {
  if (retryOf === undefined) return true
  const { projectId, id, category, receivedAt } = retryOf
  if (Number(statements.deleteDeadLetter.run(projectId, id).changes) === 0) return false
  const counted = [projectId, hourOf(receivedAt), category, 'invalid', 'internal'] as const
  const removed = statements.deleteSingleOutcome.run(...counted)
  if (Number(removed.changes) === 0) statements.decrementOutcome.run(...counted)
  return true
}
