import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Trail } from '#components/layout/trail.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { exactCount } from '#numbers/number-text.ts'
import type { TransactionSearch } from '#server/console/performance/performance.search.ts'
import type { TransactionView } from '#server/console/performance/views.ts'
import { durationFacts } from './duration-facts.tsx'
import { DurationHistogram } from './duration-histogram.tsx'
import { performancePeriodNames } from './performance-search.ts'
import { ReleaseDurations } from './release-durations.tsx'
import { TimeShares } from './time-shares.tsx'
import { TraceSamples } from './trace-samples.tsx'
import { TransactionDurations } from './transaction-durations.tsx'
import { TransactionFilters } from './transaction-filters.tsx'
import '#styles/reports.css'

/** The screen of one transaction. */
export function TransactionPage({ view, search }: { view: TransactionView; search: TransactionSearch }) {
  const { project, name, period, figures } = view
  return (
    <NowProvider now={view.now}>
      <Trail>
        <Link to="/performance" search={{}} activeOptions={{ exact: true }} data-shortcut="back">
          Performance
        </Link>
        <Link to="/performance" search={{ project: project.slug }} activeOptions={{ exact: true }}>
          {project.name}
        </Link>
      </Trail>
      <PageHeader title={name} />
      <TransactionFilters view={view} search={search} />
      {figures === undefined ? (
        <EmptyState title={`No data in ${performancePeriodNames[period]}`}>
          <p>
            {search.environment === undefined
              ? 'Choose a longer period.'
              : 'Choose a longer period, or all environments.'}
          </p>
        </EmptyState>
      ) : (
        <div className="transaction-panels">
          <Facts view={view} figures={figures} />
          <Panel id="durations" title="Durations over time">
            <TransactionDurations view={view} />
          </Panel>
          <Panel id="histogram" title="Histogram">
            <DurationHistogram bars={view.bars} />
          </Panel>
          <TimeShares view={view} figures={figures} />
          <ReleaseDurations releases={view.releases} project={project} />
          <TraceSamples view={view} />
        </div>
      )}
    </NowProvider>
  )
}

function Facts({
  view,
  figures,
}: {
  view: TransactionView
  figures: NonNullable<TransactionView['figures']>
}) {
  const { before, p99, apdex, apdexMs, op, firstSeenAt, period } = view
  return (
    <DefinitionList
      layout="facts"
      items={[
        ...durationFacts({ figures, before, p99, period }),
        {
          term: `Apdex (${exactCount(apdexMs)} ms)`,
          description: apdex === undefined ? '—' : apdex.toFixed(2),
        },
        { term: 'Operation', description: <bdi>{op}</bdi> },
        { term: 'First seen', description: <Time at={firstSeenAt} /> },
      ]}
    />
  )
}
