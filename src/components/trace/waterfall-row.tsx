import type { KeyboardEvent, ReactNode } from 'react'
import { spanDurationText } from '#components/performance/figure-text.ts'
import { Link } from '#components/ui/link.tsx'
import type { Waterfall } from '#server/console/traces/views.ts'
import type { TraceRow } from '#traces/trace-rows.ts'

/** Deeper rows are not indented further. */
const deepestIndent = 12

/** Kinds of spans with a colour of their own, by the beginning of their op. */
const kinds = ['db', 'http', 'resource', 'ui', 'function', 'cache', 'queue', 'browser'] as const

function kindOf(op: string): string {
  return kinds.find((kind) => op === kind || op.startsWith(`${kind}.`)) ?? 'other'
}

/** The data of a row of a waterfall, and its handlers. */
export interface WaterfallRowProps {
  traceId: string
  row: TraceRow
  /** Its position in all rows of the trace. */
  at: number
  waterfall: Pick<Waterfall, 'durationUs' | 'services'>
  isSelected?: boolean
  /** The row that the Tab key reaches. */
  isCursor?: boolean
  isMarked?: boolean
  isCollapsed?: boolean
  onToggle?: () => void
  onFocus?: () => void
  onKeyDown?: (event: KeyboardEvent) => void
  /** Marks and links after the label. */
  children?: ReactNode
}

/** A span: its name, indented by its depth, and its bar in the time of the trace. */
export function WaterfallRow(props: WaterfallRowProps) {
  const { traceId, row, at, waterfall, isSelected = false, isCursor = false, isCollapsed = false } = props
  const { depth, descendantCount, op, label, durationUs, isError, spanId } = row
  const service = waterfall.services[row.serviceAt]
  return (
    <div
      role="row"
      className="waterfall-row"
      data-at={at}
      data-kind={isError ? 'error' : kindOf(op)}
      data-marked={props.isMarked ? '' : undefined}
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={descendantCount > 0 ? !isCollapsed : undefined}
      tabIndex={isCursor ? 0 : -1}
      onFocus={props.onFocus}
      onKeyDown={props.onKeyDown}
    >
      <div role="gridcell" className="waterfall-name" data-depth={Math.min(depth, deepestIndent)}>
        {props.onToggle !== undefined && descendantCount > 0 ? (
          <button
            type="button"
            className="waterfall-toggle"
            tabIndex={-1}
            aria-label={`${isCollapsed ? 'Expand' : 'Collapse'} ${descendantCount} spans`}
            onClick={props.onToggle}
          >
            {isCollapsed ? `+${descendantCount}` : '−'}
          </button>
        ) : null}
        {row.isSegment && service !== undefined ? (
          <span className="waterfall-service">{service.name ?? service.project.name}</span>
        ) : null}
        <span className="waterfall-op">{op}</span>
        <Link
          to="/traces/$traceId"
          params={{ traceId }}
          search={{ span: spanId }}
          resetScroll={false}
          tabIndex={-1}
          className="waterfall-label"
          title={label}
        >
          <bdi>{label}</bdi>
        </Link>
        {isError ? <span className="waterfall-failed">failed</span> : null}
        {props.children}
      </div>
      <div role="gridcell" className="waterfall-time">
        <Bar row={row} totalUs={waterfall.durationUs} />
        <span className="waterfall-duration">{spanDurationText(durationUs)}</span>
      </div>
    </div>
  )
}

/** A picture, since the content security policy allows no styles in the page. */
function Bar({ row: { startUs, durationUs }, totalUs }: { row: TraceRow; totalUs: number }) {
  const scale = 1_000 / Math.max(1, totalUs)
  const width = Math.max(3, durationUs * scale)
  const x = Math.min(startUs * scale, 1_000 - width)
  return (
    <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" className="waterfall-bar">
      <rect x={Math.max(0, x).toFixed(1)} y="0" width={width.toFixed(1)} height="10" />
    </svg>
  )
}
