import { useMemo, useState } from 'react'
import type { TraceView } from '#server/console/traces/views.ts'
import { parseTraceRows } from '#traces/trace-row-text.ts'
import { listVisible, type TraceRow } from '#traces/trace-rows.ts'

/** The rows of a waterfall that are loaded, and those of them that are not below a collapsed one. */
export interface TreeRows {
  rows: readonly TraceRow[]
  visible: readonly TraceRow[]
  /** With the visible rows that have not been loaded. */
  visibleCount: number
  isWhole: boolean
  isCollapsed: (row: TraceRow) => boolean
  /** Collapses or expands a row. */
  toggle: (row: TraceRow) => void
  /** Expands the rows above a span. */
  reveal: (spanId: string) => void
}

/** The rows of a trace with the state of each, which stays when further rows are loaded. */
export function useTreeRows({ allRows, rows: first, rowCount, visibleCount }: TraceView): TreeRows {
  const rows = useMemo(() => (allRows === undefined ? first : parseTraceRows(allRows)), [allRows, first])
  const isWhole = rows.length === rowCount
  /** The ids of the rows that are not as they were at first. */
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const { visible, isCollapsed } = useMemo(() => {
    const isClosed = (row: TraceRow) => (row.isCollapsed === true) !== toggled.has(row.spanId)
    return { isCollapsed: isClosed, visible: listVisible(rows, isClosed) }
  }, [rows, toggled])
  return {
    rows,
    visible,
    visibleCount: isWhole ? visible.length : visibleCount - (rows.length - visible.length),
    isWhole,
    isCollapsed,
    toggle: ({ spanId }) => setToggled((before) => before.symmetricDifference(new Set([spanId]))),
    reveal: (spanId) => {
      const closed = listAbove(rows, spanId).filter(isCollapsed)
      if (closed.length > 0)
        setToggled((before) => before.symmetricDifference(new Set(closed.map((row) => row.spanId))))
    },
  }
}

function listAbove(rows: readonly TraceRow[], spanId: string): TraceRow[] {
  const above: TraceRow[] = []
  let at = rows.find((row) => row.spanId === spanId)?.parentAt
  while (at !== undefined) {
    const row = rows[at]
    if (row === undefined) break
    above.push(row)
    at = row.parentAt
  }
  return above
}
