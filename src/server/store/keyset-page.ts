import { sql, type RawBuilder } from 'kysely'
import * as v from 'valibot'

/** The start of a page: one side of a position. */
export interface Cursor<Position> {
  side: 'after' | 'before'
  /** The sort values of a row. */
  position: Position
}

/** Formats and parses the cursors of one list. */
export interface CursorCodec<Position> {
  /** The cursor as text for a URL. Opaque: its format can change. */
  format: (cursor: Cursor<Position>) => string
  /**
   * Undefined for a damaged cursor, and for one of another list or order: the list then begins with its first
   * page.
   */
  parse: (text: string | undefined) => Cursor<Position> | undefined
}

const maxCursorLength = 2000

/** Creates the codec of the list, or order of a list, with this name. */
export function createCursorCodec<Position>(
  list: string,
  position: v.GenericSchema<unknown, Position>,
): CursorCodec<Position> {
  const parts = v.tuple([v.literal(list), v.picklist(['after', 'before']), position])
  const schema = v.pipe(v.string(), v.parseJson(), parts)
  return {
    format: (cursor) =>
      Buffer.from(JSON.stringify([list, cursor.side, cursor.position])).toString('base64url'),
    parse: (text) => {
      if (text === undefined || text.length > maxCursorLength) return undefined
      const parsed = v.safeParse(schema, Buffer.from(text, 'base64url').toString())
      return parsed.success ? { side: parsed.output[1], position: parsed.output[2] } : undefined
    },
  }
}

/** An id, a count or an instant in a position. */
export const cursorNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** The direction in which a page is read, in a list with its largest row first. */
export function readDirection(side: Cursor<unknown>['side'] | undefined): RawBuilder<unknown> {
  return side === 'before' ? sql`asc` : sql`desc`
}

/** True for rows on one side of a position, in a list with its largest row first. */
export function isBeyond(
  side: Cursor<unknown>['side'],
  columns: readonly RawBuilder<unknown>[],
  values: readonly unknown[],
): RawBuilder<boolean> {
  return sql`(${sql.join([...columns])}) ${side === 'before' ? sql`>` : sql`<`} (${sql.join([...values])})`
}

export interface PageQuery<Row, Position> {
  cursor: Cursor<Position> | undefined
  codec: CursorCodec<Position>
  /** Rows per page; one more is read to detect another page. */
  limit: number
  positionOf: (row: Row) => Position
  /** Where a scan-limited read ended although the list continues. */
  end?: Position | undefined
  /** The position from which the opposite cursor includes its row; by default the same position. */
  toOpposite?: (position: Position) => Position
}

/** A page, and the cursors of its neighbours. */
export interface KeysetPage<Row> {
  rows: Row[]
  /** Absent on the last page. */
  nextCursor?: string
  /** Absent on the first page. */
  previousCursor?: string
}

/**
 * Creates a page from rows in the order in which they were read, at most `limit + 1`. A page before a cursor
 * is read backwards and reversed. A page with a cursor always has a neighbour on the cursor's side.
 */
export function toKeysetPage<Row, Position>(
  read: readonly Row[],
  { cursor, codec, limit, positionOf, end, toOpposite }: PageQuery<Row, Position>,
): KeysetPage<Row> {
  const rows = read.slice(0, limit)
  const [first] = rows.slice(0, 1).map(positionOf)
  const [last] = rows.slice(-1).map(positionOf)
  const ahead = read.length > limit ? last : end
  const behind = cursor && (first ?? (toOpposite ? toOpposite(cursor.position) : cursor.position))
  const isBackwards = cursor?.side === 'before'
  const next = isBackwards ? behind : ahead
  const previous = isBackwards ? ahead : behind
  return {
    rows: isBackwards ? rows.toReversed() : rows,
    ...(next !== undefined && { nextCursor: codec.format({ side: 'after', position: next }) }),
    ...(previous !== undefined && { previousCursor: codec.format({ side: 'before', position: previous }) }),
  }
}
