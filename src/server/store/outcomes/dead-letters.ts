import * as v from 'valibot'
import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import type { DeadLetterOrigin, DeadLetterReference } from '#server/store/ingest/records.ts'
import { toProjectName } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import type { DeadLetterSummary } from './records.ts'

/** Dead letters, newest first. One statement, which reads no payload. */
export async function listDeadLetters(
  db: Db,
  query: { projectIds?: readonly number[]; limit: number },
): Promise<DeadLetterSummary[]> {
  const rows = await db
    .selectFrom('dead_letters as d')
    .innerJoin('projects as p', 'p.id', 'd.project_id')
    .select(['d.id as letter_id', 'd.item_type', 'd.reason', 'd.received_at'])
    .select((is) => is.fn<number>('length', ['d.payload']).as('payload_bytes'))
    .select(['p.id', 'p.slug', 'p.name', 'p.platform'])
    .$if(query.projectIds !== undefined, (select) =>
      select.where('d.project_id', 'in', query.projectIds ?? []),
    )
    .orderBy('d.received_at', 'desc')
    .orderBy('d.id')
    .limit(query.limit)
    .execute()
  return rows.map((row) => ({
    id: row.letter_id,
    project: toProjectName(row),
    itemType: row.item_type,
    reason: row.reason,
    receivedAt: row.received_at,
    payloadBytes: row.payload_bytes,
  }))
}

/** A project and its number of dead letters. */
export interface ProjectWithDeadLetters {
  project: ProjectName
  deadLetterCount: number
}

/** Every project, oldest first. One statement. */
export async function listProjectsWithDeadLetters(db: Db): Promise<ProjectWithDeadLetters[]> {
  const rows = await db
    .with(
      (cte) => cte('letters').materialized(),
      (is) =>
        is
          .selectFrom('dead_letters')
          .select((of) => ['project_id', of.fn.countAll<number>().as('letter_count')])
          .groupBy('project_id'),
    )
    .selectFrom('projects as p')
    .leftJoin('letters as l', 'l.project_id', 'p.id')
    .select(['p.id', 'p.slug', 'p.name', 'p.platform', 'l.letter_count'])
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute()
  return rows.map((row) => ({ project: toProjectName(row), deadLetterCount: row.letter_count ?? 0 }))
}

/** A dead letter with everything that a retry needs. */
export interface StoredDeadLetter {
  itemType: string
  /** Relay's data category, under which it is counted; absent for dead letters of older versions. */
  category?: string
  /** Unix milliseconds. */
  receivedAt: number
  origin: DeadLetterOrigin
  /** As received, unscrubbed. */
  payload: Uint8Array
}

/** A dead letter; undefined if it does not exist. */
export async function findDeadLetter(
  db: Db,
  { projectId, id }: DeadLetterReference,
): Promise<StoredDeadLetter | undefined> {
  const row = await db
    .selectFrom('dead_letters')
    .select(['item_type', 'category', 'received_at', 'origin', 'payload'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return (
    row && {
      itemType: row.item_type,
      category: row.category ?? undefined,
      receivedAt: row.received_at,
      origin: parseOrigin(row.origin),
      payload: row.payload,
    }
  )
}

/**
 * Deletes dead letters permanently, in one transaction. Returns the number of those that existed. They remain
 * counted as `invalid` with the reason `internal`.
 */
export function deleteDeadLetters(store: Store, letters: readonly DeadLetterReference[]): Promise<number> {
  return store.writer.transaction().execute(async (tx) => {
    let deletedCount = 0
    for (const { projectId, id } of letters) {
      const { numDeletedRows } = await tx
        .deleteFrom('dead_letters')
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .executeTakeFirst()
      deletedCount += Number(numDeletedRows)
    }
    return deletedCount
  })
}

const Origin = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    eventId: v.optional(v.string()),
    sentAt: v.optional(v.number()),
    itemHeader: v.optional(v.custom<JsonObject>(isJsonObject)),
    clientAddress: v.optional(v.string()),
    userAgent: v.optional(v.string()),
  }),
)

function parseOrigin(text: string | null): DeadLetterOrigin {
  const { success, output } = v.safeParse(Origin, text)
  if (!success) return {}
  const { eventId, sentAt, itemHeader, clientAddress, userAgent } = output
  return {
    eventId,
    sentAt,
    itemHeader,
    clientAddress,
    userAgent,
  }
}
