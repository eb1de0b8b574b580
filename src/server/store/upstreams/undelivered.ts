import { setImmediate as nextTick } from 'node:timers/promises'
import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import { numbersOf } from '#server/store/engine/per-engine.ts'
import type { UpstreamReference } from '#server/store/ingest/records.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { countUndelivered } from './upstreams.ts'

/** An envelope that an upstream rejected permanently. */
export interface UndeliveredEnvelope extends UpstreamReference {
  number: number
  /** Relay's data category of its contents. */
  category: string
  byteCount: number
  /** Unix milliseconds. */
  receivedAt: number
  failedAt: number
  /** The answer of the upstream: `403`. */
  problem: string
}

/** Rejected envelopes of some projects, last rejected first. One statement, which reads no body. */
export async function listUndelivered(
  db: Db,
  { projectIds, limit }: { projectIds: readonly number[]; limit: number },
): Promise<UndeliveredEnvelope[]> {
  const rows = await db
    .selectFrom('outbox')
    .select([
      'project_id',
      'upstream_id',
      'number',
      'category',
      'byte_count',
      'received_at',
      'failed_at',
      'problem',
    ])
    .where('project_id', 'in', projectIds)
    .where('failed_at', 'is not', null)
    .orderBy('failed_at', 'desc')
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    projectId: row.project_id,
    upstreamId: row.upstream_id,
    number: row.number,
    category: row.category,
    byteCount: row.byte_count,
    receivedAt: row.received_at,
    failedAt: row.failed_at ?? 0,
    problem: row.problem ?? '',
  }))
}

/** One rejected envelope of an upstream, or all of them. */
export interface UndeliveredReference extends UpstreamReference {
  /** Absent for all. */
  number?: number
}

/** Puts rejected envelopes back at their positions in the queue. Returns their number. */
export function retryUndelivered(store: Store, reference: UndeliveredReference): Promise<number> {
  return takeUndelivered(store, reference, 'retry')
}

/** Discards rejected envelopes, and counts them. Returns their number. */
export function deleteUndelivered(store: Store, reference: UndeliveredReference): Promise<number> {
  return takeUndelivered(store, reference, 'delete')
}

/** Runs in slices, in order, so that an envelope that is rejected again meanwhile is not processed twice. */
async function takeUndelivered(
  store: Store,
  { number, ...upstream }: UndeliveredReference,
  what: 'retry' | 'delete',
): Promise<number> {
  const range = { after: (number ?? 0) - 1, last: number ?? Number.MAX_SAFE_INTEGER }
  for (let count = 0; ;) {
    const taken = await takeSlice(store, upstream, { ...range, what })
    count += taken.length
    const last = taken.at(-1)
    if (last === undefined || taken.length < limits.forwardExpirySlice) return count
    range.after = last.number
    await nextTick()
  }
}

function takeSlice(
  store: Store,
  { projectId, upstreamId }: UpstreamReference,
  { after, last, what }: { after: number; last: number; what: 'retry' | 'delete' },
): Promise<{ number: number }[]> {
  const isRetry = what === 'retry'
  return store.writer.transaction().execute(async (tx) => {
    const rows = await tx
      .selectFrom('outbox')
      .select(['number', 'category', 'byte_count'])
      .where('project_id', '=', projectId)
      .where('upstream_id', '=', upstreamId)
      .where('failed_at', 'is not', null)
      .where('number', '>', after)
      .where('number', '<=', last)
      .orderBy('number')
      .limit(limits.forwardExpirySlice)
      .execute()
    if (rows.length === 0) return rows
    const numbers = numbersOf(JSON.stringify(rows.map(({ number }) => number)))
    const which = sql`project_id = ${projectId} AND upstream_id = ${upstreamId} AND failed_at IS NOT NULL
      AND number IN ${numbers}`
    if (isRetry) await sql`UPDATE outbox SET failed_at = NULL, problem = NULL WHERE ${which}`.execute(tx)
    else await sql`DELETE FROM outbox WHERE ${which}`.execute(tx)
    const [count, bytes] = [rows.length, rows.reduce((sum, row) => sum + row.byte_count, 0)]
    await tx
      .updateTable('upstreams')
      .set((is) => ({
        failed_count: is('failed_count', '-', count),
        failed_bytes: is('failed_bytes', '-', bytes),
        waiting_count: is('waiting_count', '+', isRetry ? count : 0),
        waiting_bytes: is('waiting_bytes', '+', isRetry ? bytes : 0),
        dropped_count: is('dropped_count', '+', isRetry ? 0 : count),
      }))
      .where('project_id', '=', projectId)
      .where('id', '=', upstreamId)
      .execute()
    for (const [category, { length: quantity }] of isRetry ? [] : Map.groupBy(rows, (row) => row.category))
      await countUndelivered(tx, {
        projectId,
        category,
        quantity,
        reason: 'upstream_deleted',
        at: store.clock(),
      })
    return rows
  })
}
