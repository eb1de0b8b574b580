import { limits } from '#server/limits.ts'
import type { Connection } from '#server/store/engine/connection.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { removeDeadLetter } from '#server/store/outcomes/dead-letter-writer.ts'
import { writeBatch, type BatchContext } from './batch.ts'
import type { CommitResult, CommitEntry, EventCommit, EventRecord } from './records.ts'
import { clearTagCaches } from './tag-writer.ts'

/**
 * Writes the entries of a failed batch, each event separately, so that an unwritable event does not affect
 * the others: it becomes a dead letter and an outcome `invalid` with the reason `internal`.
 *
 * Everything stays in the caller's transaction, using savepoints, because a thousand transactions would be a
 * thousand fsyncs. An entry whose dead letter cannot be written either fails with its error and leaves no
 * rows. Throws on a machine failure.
 */
export function writeSeparately(
  connection: Connection,
  context: BatchContext,
  entries: CommitEntry[],
): (CommitResult | Error)[] {
  const parts = { connection, context }
  return entries.map((entry) =>
    attempt(parts, (): CommitResult => {
      if (!removeDeadLetter(context.statements, entry)) return { events: [], isGone: true }
      const { retryOf: _removed, ...rest } = entry
      const events = entry.events.map((event) => writeOrDeadLetter(parts, event))
      const [others] = writeBatch(context, [{ ...rest, events: [] }])
      return { ...others, events }
    }),
  )
}

interface Parts {
  connection: Connection
  context: BatchContext
}

function writeOrDeadLetter(parts: Parts, event: EventRecord): EventCommit {
  const result = attempt(parts, () =>
    writeBatch(parts.context, [{ events: [event], outcomes: [], deadLetters: [] }]),
  )
  if (!(result instanceof Error)) return result[0]?.events[0] ?? 'dead_letter'
  const { projectId, eventId, category, receivedAt, clientAddress, payload } = event
  writeBatch(parts.context, [
    {
      events: [],
      outcomes: [
        { projectId, category, outcome: 'invalid', reason: 'internal', quantity: 1, at: receivedAt },
      ],
      deadLetters: [
        {
          projectId,
          itemType: 'event',
          category,
          reason: result.message.slice(0, limits.deadLetterReasonLength),
          receivedAt,
          origin: { eventId, clientAddress },
          payload,
        },
      ],
    },
  ])
  return 'dead_letter'
}

/** Runs a step under a savepoint: applies all of it, or rolls it back and returns its error. */
function attempt<Result>({ connection, context }: Parts, step: () => Result): Result | Error {
  connection.exec('SAVEPOINT step')
  try {
    const result = step()
    connection.exec('RELEASE step')
    return result
  } catch (error) {
    if (findUnavailability(error) || !(error instanceof Error)) throw error
    clearTagCaches(context)
    context.cache.rolledBack()
    connection.exec('ROLLBACK TO step')
    connection.exec('RELEASE step')
    return error
  }
}
