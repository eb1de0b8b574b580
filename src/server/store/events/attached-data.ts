import { sql, type CallbackSelection, type ExpressionBuilder } from 'kysely'
import { limits } from '#server/limits.ts'
import { fromIdBytes } from '#server/store/binary-id.ts'
import { hexOf, jsonRows } from '#server/store/engine/per-engine.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { AttachmentSummary, StoredFeedback } from './records.ts'

/** Data attached to an event: files and user feedback. */
export interface EventExtras {
  attachments: AttachmentSummary[]
  /** Newest first, at most `limits.feedbackPerEvent`. */
  feedback: StoredFeedback[]
  /** The event that this feedback is about, once it is stored. */
  aboutEventId?: string
}

type EventTables = Database & { e: Database['events'] }

/**
 * Columns with the extras of event `e` as JSON, so that a screen needs no further statement. Reads no file
 * contents.
 */
export function selectExtras(of: ExpressionBuilder<EventTables, 'e'>) {
  const attachments = of
    .selectFrom('attachments as a')
    .select(['a.number', 'a.name', 'a.content_type as contentType', 'a.byte_count as byteCount'])
    .whereRef('a.project_id', '=', 'e.project_id')
    .whereRef('a.event_id', '=', 'e.event_id')
    .orderBy('a.number')
  const feedback = of
    .selectFrom('event_feedback as f')
    .select(['f.name', 'f.email', 'f.message', 'f.received_at as receivedAt'])
    .select(hexOf(sql.ref('f.feedback_id')).as('eventId'))
    .whereRef('f.project_id', '=', 'e.project_id')
    .whereRef('f.event_id', '=', 'e.event_id')
    .orderBy('f.received_at', 'desc')
    .limit(limits.feedbackPerEvent)
  const about = of
    .selectFrom('event_feedback as own')
    .innerJoin('events as n', (join) =>
      join.onRef('n.project_id', '=', 'own.project_id').onRef('n.event_id', '=', 'own.event_id'),
    )
    .select('own.event_id')
    .whereRef('own.project_id', '=', 'e.project_id')
    .whereRef('own.feedback_id', '=', 'e.event_id')
    .limit(1)
  return [
    about.as('about_id'),
    jsonRows(attachments).as('attachments_json'),
    jsonRows(feedback).as('feedback_json'),
  ] as const
}

type ExtrasRow = CallbackSelection<EventTables, 'e', typeof selectExtras>

/** Parses the extras of a row. */
export function toExtras(row: ExtrasRow): EventExtras {
  return {
    attachments: row.attachments_json,
    feedback: row.feedback_json,
    ...(row.about_id !== null && { aboutEventId: fromIdBytes(row.about_id) }),
  }
}
