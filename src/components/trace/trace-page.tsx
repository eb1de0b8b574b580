import type { ReactNode } from 'react'
import { TraceEvents } from '#components/event/panels/trace-events.tsx'
import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Trail } from '#components/layout/trail.tsx'
import { spanDurationText } from '#components/performance/figure-text.ts'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun, exactCount } from '#numbers/number-text.ts'
import type { TraceView } from '#server/console/traces/views.ts'
import { missingSpansText } from './missing-spans.ts'
import { serviceText } from './span-details.tsx'
import { TraceNotes } from './trace-notes.tsx'
import { TraceWaterfall, type TraceWaterfallProps } from './trace-waterfall.tsx'
import '#styles/traces.css'

/** The `/traces/$traceId` screen: all spans of a trace, and its errors. `children`: the selected span. */
export function TracePage({
  view,
  rest,
  selectedId,
  children,
}: TraceWaterfallProps & { children?: ReactNode }) {
  const { traceId, rowCount } = view
  return (
    <NowProvider now={view.now}>
      <Trail>
        <Link to="/performance" search={{}} data-shortcut="back">
          Performance
        </Link>
      </Trail>
      <PageHeader
        title="Trace"
        description={
          <>
            <bdi className="mono">{traceId}</bdi> <CopyButton text={traceId} label="Copy trace ID" />
          </>
        }
      />
      {rowCount === 0 ? <NoSpans view={view} /> : <Spans view={view} rest={rest} selectedId={selectedId} />}
      {children}
      {view.errors.length === 0 ? null : (
        <Panel id="errors" title="Errors" note={errorCountText(view)}>
          <TraceEvents events={view.errors} />
        </Panel>
      )}
    </NowProvider>
  )
}

/** How many errors there are, and how many are listed if it is not all of them. */
function errorCountText({ errors, errorCount, hasMoreErrors }: TraceView): string {
  const all = hasMoreErrors ? `${exactCount(errorCount)}+ events` : countedNoun(errorCount, 'event')
  return errors.length === errorCount ? all : `${all}, the first ${exactCount(errors.length)}`
}

function Spans({ view, rest, selectedId }: TraceWaterfallProps) {
  return (
    <>
      <DefinitionList
        layout="facts"
        items={[
          { term: 'Start', description: <Time at={Math.round(view.startedAt)} /> },
          { term: 'Duration', description: spanDurationText(view.durationUs) },
          {
            term: 'Spans',
            description: `${view.hasMoreSpans ? 'more than ' : ''}${exactCount(view.spanCount)}`,
          },
          {
            term: view.services.length === 1 ? 'Service' : 'Services',
            description: view.services.map((service, at) => <div key={at}>{serviceText(service)}</div>),
          },
        ]}
      />
      <TraceNotes notes={view.notes} />
      <Panel id="spans" title="Spans">
        <TraceWaterfall key={view.traceId} view={view} rest={rest} selectedId={selectedId} />
      </Panel>
    </>
  )
}

function NoSpans({ view }: { view: TraceView }) {
  return (
    <EmptyState title="No spans of this trace are stored">
      <p>
        {view.errors.length > 0
          ? `${missingSpansText(isSampledBy(view))} Its errors are below.`
          : 'Check the trace ID, and whether you have access to the project. No spans or errors of it have been received, or retention has deleted them.'}
      </p>
      <p>
        <Link to="/issues" search={{}}>
          Go to the issues
        </Link>
      </p>
    </EmptyState>
  )
}

/** The sampling decision of the first error that has one. */
function isSampledBy({ errors }: TraceView): boolean | undefined {
  return errors.find(({ isTraceSampled }) => isTraceSampled !== undefined)?.isTraceSampled
}
