import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { fromIdBytes, toIdBytes } from '#server/store/binary-id.ts'
import { bytesOffset } from '#server/store/engine/per-engine.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import type { IssueKey } from '#server/store/issues/records.ts'
import {
  createCursorCodec,
  cursorNumber,
  isBeyond,
  readDirection,
  toKeysetPage,
  type Cursor,
} from '#server/store/keyset-page.ts'
import type { Database, Db } from '#server/store/schema/database.ts'
import { toLevel } from './row.ts'
import { tagHash, type EventTag } from './tag-hash.ts'

export interface IssueEventsQuery extends IssueKey {
  /** Only events with each of these tags; the environment and the release are tags, too. */
  tags: readonly EventTag[]
  /** Only events from this instant on. Unix milliseconds. */
  since?: number
  /** Only events before this instant. Unix milliseconds. */
  until?: number
  /** From another page; a damaged cursor returns the first page. */
  cursor?: string
  /** Rows of a page. */
  limit: number
}

/** An event of a list with its payload, from which the caller selects what to show. */
export type ListedEvent = Pick<
  EventRecord,
  'eventId' | 'occurredAt' | 'receivedAt' | 'level' | 'environment' | 'release' | 'clientAddress' | 'payload'
>

export interface IssueEventsPage {
  /** Latest first. */
  events: ListedEvent[]
  /** Absent on the last page. */
  nextCursor?: string
  /** Absent on the first page. */
  previousCursor?: string
  /**
   * Present when `limits.issueEventsSearched` events were scanned and more are left: the time of the last
   * scanned event. Unix milliseconds.
   */
  searchedTo?: number
}

/**
 * A page of an issue's events. One statement, which scans the index of the issue's events: at most a page of
 * them, or, with tags, `limits.issueEventsSearched`.
 */
export async function listIssueEvents(db: Db, query: IssueEventsQuery): Promise<IssueEventsPage> {
  const cursor = eventCursors.parse(query.cursor)
  const { rows: read } = await selectPage(query, cursor).execute(db)
  const found = read.filter(isFound)
  const end = found.length > query.limit ? undefined : endOf(read[0])
  const page = { cursor, codec: eventCursors, limit: query.limit, positionOf, end }
  const { rows, ...cursors } = toKeysetPage(found, page)
  return {
    events: await withPayloads(rows),
    ...cursors,
    ...(end && { searchedTo: end.occurredAt }),
  }
}

const eventPosition = v.object({
  /** Unix milliseconds. */
  occurredAt: cursorNumber,
  /** 32 lower-case hex digits; orders events of the same millisecond. */
  eventId: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
})
type EventPosition = v.InferOutput<typeof eventPosition>
type EventCursor = Cursor<EventPosition>

/** The cursors of the events of an issue. */
export const eventCursors = createCursorCodec('issue-events', eventPosition)

interface PageRow {
  end_at: number | null
  end_id: Uint8Array | null
  event_id: Uint8Array | null
}

type FoundRow = PageRow & Selectable<Database['events']> & { block_data: Uint8Array; block_raw_bytes: number }

/** The first row is returned even if no event was found: it contains the end of the scan. */
function isFound(row: PageRow): row is FoundRow {
  return row.event_id !== null
}

function positionOf(row: FoundRow): EventPosition {
  return { occurredAt: row.occurred_at, eventId: fromIdBytes(row.event_id) }
}

function endOf(row: PageRow | undefined): EventPosition | undefined {
  if (row?.end_at == null || row.end_id === null) return undefined
  return { occurredAt: row.end_at, eventId: fromIdBytes(row.end_id) }
}

/**
 * The end of the scan is a separate row with a left join to the events. "None" is the lowest or highest
 * position, so that the condition always bounds the index scan: SQLite would scan past an optional condition.
 */
function selectPage(query: IssueEventsQuery, cursor: EventCursor | undefined): RawBuilder<PageRow> {
  const isBackwards = cursor?.side === 'before'
  const direction = readDirection(cursor?.side)
  const upTo = isBackwards ? sql`<=` : sql`>=`
  const nowhere = isBackwards
    ? { at: Number.MAX_SAFE_INTEGER, id: Uint8Array.of(0xff) }
    : { at: Number.MIN_SAFE_INTEGER, id: new Uint8Array() }
  const order = (table: string) =>
    sql`order by ${sql.ref(`${table}.occurred_at`)} ${direction}, ${sql.ref(`${table}.event_id`)} ${direction}`
  const end =
    query.tags.length === 0
      ? sql`select cast(null as bigint) as end_at, cast(null as bytea) as end_id`
      : sql`select n.occurred_at as end_at, n.event_id as end_id from events n
          where ${inRange('n', query, cursor)} ${order('n')} limit 1 offset ${limits.issueEventsSearched - 1}`
  return sql<PageRow>`
    with found_end as materialized (${end}),
      search as materialized (
        select end_at, end_id, coalesce(end_at, ${nowhere.at}) as at, coalesce(end_id, ${nowhere.id}) as id
        from (select 1) as one left join found_end on true),
      page as materialized (
        select * from events e where ${inRange('e', query, cursor)}
          and (e.occurred_at, e.event_id) ${upTo} ((select at from search), (select id from search))
          ${sql.join(query.tags.map(hasTag), sql``)}
        ${order('e')} limit ${query.limit + 1})
    select search.end_at, search.end_id, page.*, b.data as block_data, b.raw_bytes as block_raw_bytes
    from search
      left join page on true
      left join body_blocks b on b.project_id = page.project_id and b.id = page.block_id
    ${order('page')}`
}

function hasTag(tag: EventTag): RawBuilder<unknown> {
  return sql` and ${bytesOffset(sql.ref('e.tag_hashes'), tagHash(tag))} > 0`
}

function inRange(table: string, query: IssueEventsQuery, cursor: EventCursor | undefined) {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const conditions = [
    sql`${column('project_id')} = ${query.projectId}`,
    sql`${column('issue_id')} = ${query.issueId}`,
  ]
  if (query.since !== undefined) conditions.push(sql`${column('occurred_at')} >= ${query.since}`)
  if (query.until !== undefined) conditions.push(sql`${column('occurred_at')} < ${query.until}`)
  if (cursor !== undefined) {
    const { occurredAt, eventId } = cursor.position
    const columns = [column('occurred_at'), column('event_id')]
    conditions.push(isBeyond(cursor.side, columns, [occurredAt, toIdBytes(eventId)]))
  }
  return sql.join(conditions, sql` and `)
}

const inflate = promisify(zstdDecompress)

/**
 * Blocks are decompressed in other threads, each once: under load an event can share a block with a megabyte
 * of others.
 */
async function withPayloads(rows: FoundRow[]): Promise<ListedEvent[]> {
  const blocks = new Map<number, Promise<Uint8Array>>()
  for (const { block_id, block_data, block_raw_bytes } of rows) {
    if (!blocks.has(block_id))
      blocks.set(block_id, inflate(block_data, { maxOutputLength: Math.max(block_raw_bytes, 1) }))
  }
  await Promise.all(blocks.values())
  return Promise.all(
    rows.map(async (row) => {
      const block = (await blocks.get(row.block_id)) ?? new Uint8Array()
      return {
        eventId: fromIdBytes(row.event_id),
        occurredAt: row.occurred_at,
        receivedAt: row.received_at,
        level: toLevel(row.level),
        environment: row.environment,
        release: row.release ?? undefined,
        clientAddress: row.client_address ?? undefined,
        payload: block.subarray(row.block_offset, row.block_offset + row.block_length),
      }
    }),
  )
}
