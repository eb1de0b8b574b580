/** A span as a row of a waterfall. */
export interface TraceRow {
  /** Its index in all rows of the trace. */
  at: number
  spanId: string
  /** 0 for a root of the tree. */
  depth: number
  /** Index of its parent. */
  parentAt?: number
  /** Number of descendants, which follow it. */
  descendantCount: number
  op: string
  /** The description, or the name. */
  label: string
  /** Microseconds after the start of the trace. */
  startUs: number
  durationUs: number
  isError: boolean
  isSegment: boolean
  /** Index in the services of the trace. */
  serviceAt: number
  /** Indexes in the errors of the trace. */
  errorsAt?: number[]
  /** Its descendants are hidden initially. */
  isCollapsed?: boolean
}

/** A waterfall with more rows scrolls, and is initially collapsed below insignificant rows. */
export const rowsWithoutScrolling = 200

/** A subtree without errors that takes less than this share of the trace is insignificant. */
const smallShare = 0.05

/** Collapses rows, unless the trace is small: those below the first level, short and without errors. */
export function collapseRows(rows: readonly TraceRow[], durationUs: number): void {
  if (rows.length <= rowsWithoutScrolling) return
  const withErrors = listRowsWithErrors(rows)
  for (const row of rows) {
    const isSmall = row.durationUs < durationUs * smallShare
    if (row.depth > 0 && row.descendantCount > 0 && isSmall && !withErrors.has(row.at)) row.isCollapsed = true
  }
}

/** Rows with an error in their subtree. */
function listRowsWithErrors(rows: readonly TraceRow[]): Set<number> {
  const found = new Set<number>()
  for (const row of rows.toReversed()) {
    if (!row.isError && row.errorsAt === undefined && !found.has(row.at)) continue
    found.add(row.at)
    if (row.parentAt !== undefined) found.add(row.parentAt)
  }
  return found
}

/** The rows without a collapsed ancestor. `rows`: all rows or some, in order. */
export function listVisible<Row extends Pick<TraceRow, 'at' | 'descendantCount'>>(
  rows: readonly Row[],
  isCollapsed: (row: Row) => boolean,
): Row[] {
  let hiddenTo = -1
  return rows.filter((row) => {
    if (row.at <= hiddenTo) return false
    if (isCollapsed(row)) hiddenTo = row.at + row.descendantCount
    return true
  })
}
