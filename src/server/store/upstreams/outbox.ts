import { setImmediate as nextTick } from 'node:timers/promises'
import { CompiledQuery, sql, type Selectable } from 'kysely'
import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import { numbersOf, perEngine } from '#server/store/engine/per-engine.ts'
import type { UpstreamReference } from '#server/store/ingest/records.ts'
import type { Database, Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { inflateOutboxBlock } from './outbox-block.ts'
import { countUndelivered } from './upstreams.ts'

/** An envelope in the queue of an upstream. */
export interface QueuedEnvelope {
  number: number
  category: string
  /** When it was received; Unix milliseconds. */
  receivedAt: number
  byteCount: number
  clientAddress: string | null
  userAgent: string | null
  /** The block that contains its bytes; null if they are in a separate row. */
  blockNumber: number | null
  blockOffset: number | null
}

/**
 * The oldest envelopes of an upstream in the given categories, oldest first. One statement that reads `limit`
 * index entries per category, however many envelopes are queued in the others.
 */
export async function listQueued(
  db: Db,
  { projectId, upstreamId }: UpstreamReference,
  { categories, limit }: { categories: readonly string[]; limit: number },
): Promise<QueuedEnvelope[]> {
  const json = JSON.stringify(categories)
  const ofCategory = sql`FROM outbox AS i
    WHERE i.project_id = ${projectId} AND i.upstream_id = ${upstreamId} AND i.category = c.value
      AND i.failed_at IS NULL
    ORDER BY i.number LIMIT ${limit}`
  const { rows } = await sql<QueuedEnvelope>`
    SELECT o.number, o.category, o.received_at AS "receivedAt", o.byte_count AS "byteCount", o.client_address AS "clientAddress",
      o.user_agent AS "userAgent", o.block_number AS "blockNumber", o.block_offset AS "blockOffset"
    FROM ${perEngine({
      sqlite: sql`json_each(${json}) AS c CROSS JOIN outbox AS o ON o.rowid IN (SELECT i.rowid ${ofCategory})`,
      postgres: sql`json_array_elements_text(${json}::json) AS c (value) CROSS JOIN LATERAL (SELECT * ${ofCategory}) AS o`,
    })}
    ORDER BY o.number LIMIT ${limit}`.execute(db)
  return rows
}

/** An envelope with everything that is needed to send it. */
export interface StoredEnvelope {
  body: Uint8Array
  clientAddress?: string
  userAgent?: string
}

/**
 * An envelope that is no longer in the outbox: another process or a user has removed it (`gone`), or its
 * bytes are `damaged`.
 */
export type QueuedBody = StoredEnvelope | 'gone' | 'damaged'

/**
 * The parameters of a read: the numbers of cached blocks as JSON, whose bytes are not read again, and the key
 * of the envelope.
 */
type QueuedKey = [knownNumbers: string, projectId: number, upstreamId: string, number: number]

/** One statement, so that the block cannot be deleted in between. */
const selectQueued = ([known, projectId, upstreamId, number]: QueuedKey) => sql`
  SELECT o.body, o.client_address, o.user_agent, o.byte_count, o.block_number, o.block_offset,
    b.raw_bytes, CASE WHEN o.block_number IN ${numbersOf(known)} THEN NULL ELSE b.data END AS data
  FROM outbox o LEFT JOIN outbox_blocks b
    ON b.project_id = o.project_id AND b.upstream_id = o.upstream_id AND b.number = o.block_number
  WHERE o.project_id = ${projectId} AND o.upstream_id = ${upstreamId} AND o.number = ${number}
    AND o.failed_at IS NULL`

type QueuedRow = Omit<
  Selectable<Database['outbox']>,
  'project_id' | 'upstream_id' | 'number' | 'category'
> & {
  raw_bytes: number | null
  data: Uint8Array | null
}

/** Reads the queue of one upstream, and caches the blocks of its next envelopes. */
export class OutboxReader {
  private readonly db: Db
  private readonly upstream: UpstreamReference
  /** Compiled once: compiling for every envelope took longer than running it. */
  private readonly queuedText: string
  /** Decompressed blocks, by number. */
  private readonly blocks = new BoundedMap<number, Uint8Array>(limits.outboxBlocksKept)

  constructor(db: Db, upstream: UpstreamReference) {
    this.db = db
    this.upstream = upstream
    this.queuedText = selectQueued(['', 0, '', 0]).compile(db).sql
  }

  /**
   * Returns a listed envelope whose block is cached, without a query: nearly all envelopes that are sent in
   * order. Undefined if it has to be read.
   */
  find({ byteCount, clientAddress, userAgent, ...at }: QueuedEnvelope): StoredEnvelope | undefined {
    const bytes = at.blockNumber === null ? undefined : this.blocks.get(at.blockNumber)
    if (bytes === undefined || at.blockOffset === null) return undefined
    const end = at.blockOffset + byteCount
    if (end > bytes.byteLength) return undefined
    return toStored(bytes.subarray(at.blockOffset, end), clientAddress, userAgent)
  }

  /** Reads a queued envelope. */
  async read(number: number): Promise<QueuedBody> {
    const { projectId, upstreamId } = this.upstream
    // A concurrent read may evict blocks meanwhile.
    const known = new Map(this.blocks)
    const key: QueuedKey = [JSON.stringify([...known.keys()]), projectId, upstreamId, number]
    const { rows } = await this.db.executeQuery<QueuedRow>(CompiledQuery.raw(this.queuedText, key))
    const [row] = rows
    if (row === undefined) return 'gone'
    const body = this.bodyOf(row, known)
    if (body === undefined) return 'damaged'
    return toStored(body, row.client_address, row.user_agent)
  }

  /** Clears the cache. */
  clear(): void {
    this.blocks.clear()
  }

  private bodyOf(row: QueuedRow, known: ReadonlyMap<number, Uint8Array>): Uint8Array | undefined {
    const { body, block_number: number, block_offset: offset, byte_count: byteCount } = row
    if (number === null || offset === null) return body
    const bytes = known.get(number) ?? inflate(row)
    if (bytes === undefined || offset + byteCount > bytes.byteLength) return undefined
    this.keep(number, bytes)
    return bytes.subarray(offset, offset + byteCount)
  }

  private keep(number: number, bytes: Uint8Array): void {
    // A larger block holds a single envelope.
    if (bytes.byteLength <= limits.outboxBlockBytes) this.blocks.set(number, bytes)
  }
}

function toStored(body: Uint8Array, clientAddress: string | null, userAgent: string | null): StoredEnvelope {
  return {
    body,
    clientAddress: clientAddress ?? undefined,
    userAgent: userAgent ?? undefined,
  }
}

function inflate({
  data,
  raw_bytes: rawBytes,
}: Pick<QueuedRow, 'data' | 'raw_bytes'>): Uint8Array | undefined {
  return data === null || rawBytes === null ? undefined : inflateOutboxBlock(data, rawBytes)
}

/** Selects the envelopes to drop from a queue: those before an instant, with the outcome's `reason`. */
export interface OutboxDrop {
  /** Unix milliseconds. */
  before: number
  reason: 'upstream_expired' | 'upstream_removed'
}

/**
 * Drops envelopes at the head of an upstream's queue, and counts them. Stops at the first one that is recent
 * enough. Runs in slices, each of which is a transaction, so that nothing waits long for a queue of a
 * gigabyte. Returns the number of dropped envelopes.
 */
export async function dropOutboxHead(
  store: Store,
  upstream: UpstreamReference,
  drop: OutboxDrop,
): Promise<number> {
  for (let droppedCount = 0; ;) {
    const count = await dropSlice(store, upstream, drop)
    droppedCount += count
    if (count < limits.forwardExpirySlice) return droppedCount
    await nextTick()
  }
}

async function dropSlice(
  store: Store,
  { projectId, upstreamId }: UpstreamReference,
  { before, reason }: OutboxDrop,
): Promise<number> {
  return store.writer.transaction().execute(async (tx) => {
    const oldest = await tx
      .selectFrom('outbox')
      .select(['number', 'category', 'received_at', 'byte_count', 'failed_at'])
      .where('project_id', '=', projectId)
      .where('upstream_id', '=', upstreamId)
      .orderBy('number')
      .limit(limits.forwardExpirySlice)
      .execute()
    let latestAt = 0
    const youngAt = oldest.findIndex((row) => {
      // Never earlier than the preceding envelope, even if the clock was set back.
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
    for (const [category, { length: quantity }] of Map.groupBy(old, (row) => row.category)) {
      const at = store.clock()
      await countUndelivered(tx, { projectId, category, quantity, reason, at })
    }
    return old.length
  })
}

function sumBytes(rows: readonly { byte_count: number }[]): number {
  return rows.reduce((sum, row) => sum + row.byte_count, 0)
}
