import { Link } from '#components/ui/link.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { SmallTraceView } from '#server/console/traces/views.ts'
import { WaterfallRow } from './waterfall-row.tsx'
import '#styles/traces.css'

/** The spans of a trace around an error, with a link to all of them. */
export function SmallWaterfall({ traceId, trace }: { traceId: string; trace: SmallTraceView }) {
  const { waterfall, spanCount, hasMoreSpans, mark } = trace
  return (
    <>
      <div role="treegrid" aria-label="Spans around this event" className="waterfall">
        {waterfall.rows.map((row, at) => {
          const isMarked = mark?.spanIds.includes(row.spanId) === true
          return (
            <WaterfallRow
              key={row.spanId}
              traceId={traceId}
              row={row}
              at={at}
              waterfall={waterfall}
              isCursor={at === 0}
              isMarked={isMarked}
            >
              {isMarked ? <span className="waterfall-failed">{mark?.text}</span> : null}
            </WaterfallRow>
          )
        })}
      </div>
      <p className="panel-text">
        <Link to="/traces/$traceId" params={{ traceId }} search={{}}>
          Open the trace: {hasMoreSpans ? 'more than ' : ''}
          {countedNoun(spanCount, 'span')}
        </Link>
      </p>
    </>
  )
}
