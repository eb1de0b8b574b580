import { useEffect, useRef } from 'react'
import { issueLabel } from '#components/issue/issue-label.ts'
import { LevelMark } from '#components/ui/level-mark.tsx'
import { Link } from '#components/ui/link.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { exactCount } from '#numbers/number-text.ts'
import type { TraceView } from '#server/console/traces/views.ts'
import { rowsWithoutScrolling, type TraceRow } from '#traces/trace-rows.ts'
import type { RestOfTrace } from './rest-of-trace.ts'
import { useScrolledRange } from './scrolled-range.ts'
import { useSelectedRow } from './selected-row.ts'
import { useCursor } from './tree-keys.ts'
import { useTreeRows } from './tree-rows.ts'
import { WaterfallRow } from './waterfall-row.tsx'

/** Errors that are links in a row; the others are in the list below. */
const errorsPerRow = 3

export interface TraceWaterfallProps {
  view: TraceView
  rest: RestOfTrace
  selectedId: string | undefined
}

/**
 * The spans of a trace as a tree over its time. Only the rows on the screen are in the document. The page of
 * a large trace has the rows of the first screen; the others are requested when they may be needed.
 */
export function TraceWaterfall({ view, rest, selectedId }: TraceWaterfallProps) {
  const { traceId } = view
  const isHydrated = useHydrated()
  const tree = useTreeRows(view)
  const { visible, visibleCount, isWhole } = tree
  const isScrolled = visibleCount > rowsWithoutScrolling
  const grid = useRef<HTMLDivElement>(null)
  const range = useScrolledRange(grid, visibleCount, isScrolled && isHydrated)
  const isSelectedLoaded = selectedId === undefined || tree.rows.some((row) => row.spanId === selectedId)
  const isRestNeeded = isHydrated && !isWhole && (range.to > visible.length || !isSelectedLoaded)
  const requestRest = isWhole ? undefined : rest.request
  useEffect(() => {
    if (isRestNeeded) requestRest?.()
  }, [isRestNeeded, requestRest])
  useSelectedRow({ grid, selectedId, tree, rowHeight: range.rowHeight })
  const cursor = useCursor({ tree, traceId, grid, rowHeight: range.rowHeight })
  const from = Math.min(range.from, visible.length)
  const to = Math.min(range.to, visible.length)
  return (
    <>
      <div
        ref={grid}
        role="treegrid"
        aria-label="Spans"
        aria-rowcount={visibleCount}
        aria-busy={rest.isLoading}
        className="waterfall"
        data-scrolls={isScrolled ? '' : undefined}
        onPointerMove={requestRest}
        onFocus={requestRest}
      >
        {from > 0 ? <Spacer pixels={from * range.rowHeight} /> : null}
        {visible.slice(from, to).map((row) => (
          <WaterfallRow
            key={row.spanId}
            traceId={traceId}
            row={row}
            at={row.at}
            waterfall={view}
            isSelected={row.spanId === selectedId}
            isCursor={cursor.at === row.at}
            isCollapsed={tree.isCollapsed(row)}
            onToggle={isHydrated ? () => tree.toggle(row) : undefined}
            onFocus={() => cursor.set(row.at)}
            onKeyDown={(event) => {
              // The row may have the focus since before hydration.
              requestRest?.()
              cursor.onKeyDown(event)
            }}
          >
            <RowErrors row={row} errors={view.errors} />
          </WaterfallRow>
        ))}
        {isHydrated && to < visibleCount ? (
          <Spacer pixels={(visibleCount - to) * range.rowHeight} isLoading={rest.isLoading} />
        ) : null}
      </div>
      {rest.hasFailed ? (
        <p role="alert">
          The other spans could not be loaded.{' '}
          <button type="button" className="button" onClick={rest.retry}>
            Retry
          </button>
        </p>
      ) : null}
      {isWhole ? null : (
        <p className="quiet">
          {exactCount(visible.length)} of {exactCount(view.rowCount)} spans. JavaScript loads the others.
        </p>
      )}
    </>
  )
}

/** Keeps the height of the rows that are not in the document. Set by script, so the policy allows it. */
function Spacer({ pixels, isLoading = false }: { pixels: number; isLoading?: boolean }) {
  return (
    <div aria-hidden="true" style={{ blockSize: pixels }}>
      {isLoading ? <p className="waterfall-loading">Loading…</p> : null}
    </div>
  )
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
