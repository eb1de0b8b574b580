import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { StoredSample, TransactionView } from '#server/console/performance/views.ts'
import { columnDuration } from './figure-text.ts'

/** Stored traces of a transaction: the slowest, and typical ones. */
export function TraceSamples({ view }: { view: TransactionView }) {
  if (view.slow.length === 0) return null
  return (
    <Panel id="samples" title="Samples">
      <div className="trace-samples">
        <SampleList title="Slow" samples={view.slow} />
        {view.typical.length === 0 ? null : <SampleList title="Typical" samples={view.typical} />}
      </div>
    </Panel>
  )
}

function SampleList({ title, samples }: { title: string; samples: readonly StoredSample[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {samples.map(({ traceId, startedAt, duration, isError }) => (
          <li key={`${traceId} ${startedAt}`}>
            <Link to="/traces/$traceId" params={{ traceId }} search={{}}>
              {columnDuration(duration)}
            </Link>
            {isError ? <span className="sample-failed">failed</span> : null}
            <span className="figure-meta">
              <Time at={startedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
