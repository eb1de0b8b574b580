import { limits } from '#server/limits.ts'
import { fromIdBytes } from '#server/store/binary-id.ts'
import type { Db } from '#server/store/schema/database.ts'
import { readPayloads } from './payloads.ts'

/** The latest event of an issue, with its payload. */
interface LatestEvent {
  issueId: number
  /** 32 lower-case hex digits. */
  eventId: string
  /** Unix milliseconds. */
  occurredAt: number
  /** Unix milliseconds. */
  receivedAt: number
  /** Empty if its block is damaged. */
  payload: Uint8Array
}

/**
 * Iterates over the latest events of issues of a project, in any order. One statement finds their ids, and
 * two read `limits.payloadsAtOnce` of them.
 */
export async function* readLatestEvents(
  db: Db,
  { projectId, issueIds }: { projectId: number; issueIds: readonly number[] },
): AsyncGenerator<LatestEvent> {
  const issues = await db
    .selectFrom('issues as i')
    .select('i.id')
    .select((of) =>
      of
        .selectFrom('events as e')
        .select('e.event_id')
        .whereRef('e.project_id', '=', 'i.project_id')
        .whereRef('e.issue_id', '=', 'i.id')
        .orderBy('e.occurred_at', 'desc')
        .orderBy('e.event_id', 'desc')
        .limit(1)
        .as('event_id'),
    )
    .where('i.project_id', '=', projectId)
    .where('i.id', 'in', issueIds)
    .execute()
  const latest = issues.flatMap(({ id, event_id }) => (event_id === null ? [] : { id, event_id }))
  for (let at = 0; at < latest.length; at += limits.payloadsAtOnce) {
    const part = latest.slice(at, at + limits.payloadsAtOnce)
    const issueOf = new Map(part.map(({ id, event_id }) => [fromIdBytes(event_id), id]))
    const rows = await db
      .selectFrom('events')
      .select(['event_id', 'occurred_at', 'received_at', 'block_id', 'block_offset', 'block_length'])
      .where('project_id', '=', projectId)
      .where(
        'event_id',
        'in',
        part.map(({ event_id }) => event_id),
      )
      .execute()
    const payloads = await readPayloads(db, { projectId, rows, onDamage: 'empty' })
    for (const [index, row] of rows.entries()) {
      const eventId = fromIdBytes(row.event_id)
      const issueId = issueOf.get(eventId)
      const payload = payloads[index]
      if (issueId !== undefined && payload !== undefined)
        yield { issueId, eventId, occurredAt: row.occurred_at, receivedAt: row.received_at, payload }
    }
  }
}
