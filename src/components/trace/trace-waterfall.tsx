import { Link, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { issueLabel } from '#components/issue/issue-label.ts'
import { LevelMark } from '#components/ui/level-mark.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { exactCount } from '#numbers/number-text.ts'
import type { TraceRow, TraceView } from '#server/console/traces/views.ts'
import { useScrolledRange } from './scrolled-range.ts'
import { useSelectedRow } from './selected-row.ts'
import { initiallyCollapsed, listVisible } from './visible-rows.ts'
import { WaterfallRow } from './waterfall-row.tsx'

/** Rows in the page before any script has run; further ones are rendered as they are scrolled to. */
const rowsInPage = 200

/** Errors that are links in a row; the others are in the list below. */
const errorsPerRow = 3

/** The spans of a trace as a tree over its time. Only the rows on the screen are in the document. */
export function TraceWaterfall({ view, selectedId }: { view: TraceView; selectedId: string | undefined }) {
  const { rows, traceId } = view
  const isHydrated = useHydrated()
  const [collapsed, setCollapsed] = useState(() => initiallyCollapsed(rows, view.durationUs))
  const visible = useMemo(
    () => (isHydrated ? listVisible(rows, collapsed) : rows.slice(0, rowsInPage).map((_, at) => at)),
    [isHydrated, rows, collapsed],
  )
  const isVirtual = isHydrated && visible.length > rowsInPage
  const grid = useRef<HTMLDivElement>(null)
  const range = useScrolledRange(grid, visible.length, isVirtual)
  useSelectedRow(grid, selectedId)
  const cursor = useCursor({ rows, visible, collapsed, setCollapsed, traceId, grid, range })
  const toggle = (at: number) => setCollapsed(toggled(collapsed, at))
  return (
    <>
      <div
        ref={grid}
        role="treegrid"
        aria-label="Spans"
        aria-rowcount={visible.length}
        className="waterfall"
        data-scrolls={isVirtual ? '' : undefined}
      >
        {range.from > 0 ? <Spacer pixels={range.from * range.rowHeight} /> : null}
        {visible.slice(range.from, range.to).map((at) => {
          const row = rows[at]
          return row === undefined ? null : (
            <WaterfallRow
              key={row.spanId}
              traceId={traceId}
              row={row}
              at={at}
              waterfall={view}
              isSelected={row.spanId === selectedId}
              isCursor={cursor.at === at}
              isCollapsed={collapsed.has(at)}
              onToggle={isHydrated ? () => toggle(at) : undefined}
              onFocus={() => cursor.set(at)}
              onKeyDown={cursor.onKeyDown}
            >
              <RowErrors row={row} errors={view.errors} />
            </WaterfallRow>
          )
        })}
        {range.to < visible.length ? <Spacer pixels={(visible.length - range.to) * range.rowHeight} /> : null}
      </div>
      {!isHydrated && rows.length > rowsInPage ? (
        <p className="quiet">
          The first {rowsInPage} of {exactCount(rows.length)} spans. All are shown with JavaScript.
        </p>
      ) : null}
    </>
  )
}

/** Keeps the height of the rows that are not in the document. Set by script, so the policy allows it. */
function Spacer({ pixels }: { pixels: number }) {
  return <div role="presentation" style={{ blockSize: pixels }} />
}

function RowErrors({ row, errors }: { row: TraceRow; errors: TraceView['errors'] }) {
  return row.errorsAt?.slice(0, errorsPerRow).map((errorAt) => {
    const error = errors[errorAt]
    return error === undefined ? null : (
      <Link
        key={error.eventId}
        to="/events/$eventId"
        params={{ eventId: error.eventId }}
        className="waterfall-error"
        title={issueLabel(error)}
      >
        <LevelMark level={error.level} type={error.type} /> {issueLabel(error)}
      </Link>
    )
  })
}

function toggled(collapsed: ReadonlySet<number>, at: number): Set<number> {
  const next = new Set(collapsed)
  if (!next.delete(at)) next.add(at)
  return next
}

interface CursorParts {
  rows: readonly TraceRow[]
  visible: readonly number[]
  collapsed: ReadonlySet<number>
  setCollapsed: (next: Set<number>) => void
  traceId: string
  grid: RefObject<HTMLDivElement | null>
  range: { rowHeight: number }
}

/** The row that the keyboard is at, and its keys: those of a tree grid. */
function useCursor({ rows, visible, collapsed, setCollapsed, traceId, grid, range }: CursorParts) {
  const [at, setAt] = useState(visible[0] ?? 0)
  const navigate = useNavigate()
  const focusRow = useRowFocus(grid)
  const move = (next: number | undefined) => {
    if (next === undefined) return
    setAt(next)
    focusRow({ at: next, offset: visible.indexOf(next) * range.rowHeight })
  }
  const select = (span: string | undefined) =>
    void navigate({ to: '/traces/$traceId', params: { traceId }, search: { span }, resetScroll: false })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const position = visible.indexOf(at)
    const row = rows[at]
    if (row === undefined) return
    const isClosed = collapsed.has(at)
    const actions: Record<string, () => void> = {
      ArrowDown: () => move(visible[position + 1]),
      ArrowUp: () => move(visible[position - 1]),
      Home: () => move(visible[0]),
      End: () => move(visible.at(-1)),
      ArrowRight: () => {
        if (isClosed) setCollapsed(toggled(collapsed, at))
        else if (row.descendantCount > 0) move(visible[position + 1])
      },
      ArrowLeft: () => {
        if (row.descendantCount > 0 && !isClosed) setCollapsed(toggled(collapsed, at))
        else move(row.parentAt)
      },
      Enter: () => select(row.spanId),
      Escape: () => select(undefined),
    }
    const action = actions[event.key]
    // A link inside the row handles its own keys.
    if (action === undefined || (event.key === 'Enter' && event.target !== event.currentTarget)) return
    event.preventDefault()
    action()
  }
  return { at: visible.includes(at) ? at : (visible[0] ?? 0), set: setAt, onKeyDown }
}

/**
 * Focuses rows, also such that are not in the document: those are scrolled to, and get the focus when they
 * are rendered.
 */
function useRowFocus(grid: RefObject<HTMLDivElement | null>) {
  const wanted = useRef<number>(undefined)
  const find = (at: number) => grid.current?.querySelector<HTMLElement>(`[data-at="${at}"]`)
  useEffect(() => {
    if (wanted.current === undefined) return
    const row = find(wanted.current)
    if (row === null || row === undefined) return
    wanted.current = undefined
    row.focus()
  })
  return ({ at, offset }: { at: number; offset: number }) => {
    const row = find(at)
    if (row) row.focus()
    else if (grid.current !== null) {
      wanted.current = at
      grid.current.scrollTo({ top: Math.max(0, offset - grid.current.clientHeight / 2) })
    }
  }
}
