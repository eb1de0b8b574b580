import { CompiledQuery, sql, type Kysely } from 'kysely'
import { limits } from '#server/limits.ts'
import type { Store } from './database.ts'
import type { UpstreamReference } from './event-record.ts'
import type { Database } from './schema.ts'
import { countUndelivered } from './upstreams.ts'

/** An envelope in the queue of an upstream. */
export interface QueuedEnvelope {
  number: number
  lane: string
}

/**
 * The oldest envelopes of an upstream in the given lanes, oldest first. One statement that reads `limit` index entries of
 * each lane, however much waits in the others.
 */
export async function listQueued(
  db: Kysely<Database>,
  { projectId, upstreamId }: UpstreamReference,
  { lanes, limit }: { lanes: readonly string[]; limit: number },
): Promise<QueuedEnvelope[]> {
  const { rows } = await sql<QueuedEnvelope>`
    SELECT o.number, o.lane FROM json_each(${JSON.stringify(lanes)}) AS l
    CROSS JOIN outbox AS o ON o.rowid IN (
      SELECT i.rowid FROM outbox AS i
      WHERE i.project_id = ${projectId} AND i.upstream_id = ${upstreamId} AND i.lane = l.value
        AND i.failed_at IS NULL
      ORDER BY i.number LIMIT ${limit})
    ORDER BY o.number LIMIT ${limit}`.execute(db)
  return rows
}

/** An envelope with all that is needed to send it. */
export interface StoredEnvelope {
  body: Uint8Array
  clientAddress?: string
  userAgent?: string
}

const queuedText = `SELECT body, client_address, user_agent FROM outbox
  WHERE project_id = ? AND upstream_id = ? AND number = ? AND failed_at IS NULL`

/** An envelope that is still to be sent; undefined when it is gone or was refused. */
export async function findQueued(
  db: Kysely<Database>,
  { projectId, upstreamId, number }: UpstreamReference & { number: number },
): Promise<StoredEnvelope | undefined> {
  // As text, because building the statement took longer than running it, for every envelope that is sent.
  const { rows } = await db.executeQuery<Pick<Database['outbox'], 'body' | 'client_address' | 'user_agent'>>(
    CompiledQuery.raw(queuedText, [projectId, upstreamId, number]),
  )
  const [row] = rows
  return (
    row && {
      body: row.body,
      ...(row.client_address !== null && { clientAddress: row.client_address }),
      ...(row.user_agent !== null && { userAgent: row.user_agent }),
    }
  )
}

/**
 * Drops envelopes at the head of an upstream's queue that came before an instant, a slice at a time, and counts them.
 * Returns how many. Stops at the first one that is young enough.
 */
export async function expireOutbox(
  store: Store,
  { projectId, upstreamId }: UpstreamReference,
  before: number,
): Promise<number> {
  return store.writer.transaction().execute(async (tx) => {
    const oldest = await tx
      .selectFrom('outbox')
      .select(['number', 'lane', 'received_at', 'byte_count', 'failed_at'])
      .where('project_id', '=', projectId)
      .where('upstream_id', '=', upstreamId)
      .orderBy('number')
      .limit(limits.forwardExpirySlice)
      .execute()
    let latestAt = 0
    const youngAt = oldest.findIndex((row) => {
      // None came before the one ahead of it, whatever the clock showed.
      latestAt = Math.max(latestAt, row.received_at)
      return latestAt >= before
    })
    const old = youngAt === -1 ? oldest : oldest.slice(0, youngAt)
    const last = old.at(-1)
    if (last === undefined) return 0
    await tx
      .deleteFrom('outbox')
      .where('project_id', '=', projectId)
      .where('upstream_id', '=', upstreamId)
      .where('number', '<=', last.number)
      .execute()
    const [failed, waiting] = [
      old.filter((row) => row.failed_at !== null),
      old.filter((row) => row.failed_at === null),
    ]
    await tx
      .updateTable('upstreams')
      .set((is) => ({
        waiting_count: is('waiting_count', '-', waiting.length),
        waiting_bytes: is('waiting_bytes', '-', sumBytes(waiting)),
        failed_count: is('failed_count', '-', failed.length),
        failed_bytes: is('failed_bytes', '-', sumBytes(failed)),
        dropped_count: is('dropped_count', '+', old.length),
      }))
      .where('project_id', '=', projectId)
      .where('id', '=', upstreamId)
      .execute()
    for (const [lane, { length: quantity }] of Map.groupBy(old, (row) => row.lane)) {
      const at = store.clock()
      await countUndelivered(tx, { projectId, lane, quantity, reason: 'upstream_expired', at })
    }
    return old.length
  })
}

function sumBytes(rows: readonly { byte_count: number }[]): number {
  return rows.reduce((sum, row) => sum + row.byte_count, 0)
}
