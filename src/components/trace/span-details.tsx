import { spanDurationText } from '#components/performance/figure-text.ts'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { SpanView, TraceService } from '#server/console/traces/views.ts'

/** A span with everything that was sent; null: it is not stored any more. */
export function SpanDetails({ traceId, view }: { traceId: string; view: SpanView | null }) {
  const close = (
    <Link to="/traces/$traceId" params={{ traceId }} search={{}} resetScroll={false}>
      Close
    </Link>
  )
  if (view === null)
    return (
      <Panel id="span" title="Span" note={close}>
        <p className="panel-text">This span is not stored.</p>
      </Panel>
    )
  const { op, name, description, statusText, startedAt, durationUs, service, attributes, spanId, eventId } =
    view
  return (
    <Panel
      id="span"
      title="Span"
      note={
        <>
          <bdi className="mono">{spanId}</bdi> · {close}
        </>
      }
    >
      <DefinitionList
        items={[
          { term: 'Name', description: <bdi>{name}</bdi> },
          ...(description === undefined || description === name
            ? []
            : [{ term: 'Description', description: <bdi className="mono">{description}</bdi> }]),
          { term: 'Operation', description: <bdi>{op}</bdi> },
          { term: 'Status', description: <bdi>{statusText}</bdi> },
          { term: 'Duration', description: spanDurationText(durationUs) },
          { term: 'Start', description: <Time at={Math.round(startedAt)} isExact /> },
          { term: 'Service', description: serviceText(service) },
          ...(eventId === undefined
            ? []
            : [{ term: 'Event ID', description: <bdi className="mono">{eventId}</bdi> }]),
          ...attributes.map(({ name: term, value }) => ({
            term,
            description: <bdi className="mono">{String(value)}</bdi>,
          })),
        ]}
      />
    </Panel>
  )
}

/** A service in one line: `Shop · orders · production · shop@1.2.3`. */
export function serviceText({ project, name, environment, release }: TraceService): string {
  return [project.name, name, environment, release]
    .filter((text) => text !== undefined && text !== '')
    .join(' · ')
}
