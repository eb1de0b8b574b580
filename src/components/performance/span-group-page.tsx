import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Trail } from '#components/layout/trail.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { ChoiceTabs } from '#components/ui/form/choice-tabs.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { PerformanceViewName, SpanGroupView } from '#server/console/performance/views.ts'
import { durationFacts } from './duration-facts.tsx'
import { DurationHistogram } from './duration-histogram.tsx'
import { listedSpanPeriods, performancePeriodNames, performanceViewNames } from './performance-search.ts'
import { SpanTransactions } from './span-transactions.tsx'
import '#styles/reports.css'

/** The list that has the groups of a category. */
const viewsOfCategories = new Map<string, PerformanceViewName>([
  ['db', 'queries'],
  ['http', 'requests'],
  ['cache', 'caches'],
  ['queue', 'queues'],
  ['resource', 'resources'],
])

/** The screen of a group of spans: a query, a request, or an operation of a cache, a queue or a page load. */
export function SpanGroupPage({ view }: { view: SpanGroupView }) {
  const { project, id, name, category, period, figures } = view
  const list = viewsOfCategories.get(category)
  return (
    <NowProvider now={view.now}>
      <Trail>
        <Link to="/performance" search={{ view: list }} activeOptions={{ exact: true }} data-shortcut="back">
          {performanceViewNames[list ?? 'transactions']}
        </Link>
        <Link
          to="/performance"
          search={{ view: list, project: project.slug }}
          activeOptions={{ exact: true }}
        >
          {project.name}
        </Link>
      </Trail>
      <PageHeader title={name} />
      <div className="filter-bar">
        <ChoiceTabs
          label="Period"
          choices={listedSpanPeriods}
          names={performancePeriodNames}
          current={period}
          linkTo={(each) => ({
            to: '/performance/$project/spans/$group',
            params: { project: project.slug, group: id },
            search: each === '24h' ? {} : { period: each },
          })}
        />
      </div>
      {figures === undefined ? (
        <EmptyState title={`No data in ${performancePeriodNames[period]}`}>
          <p>Choose a longer period.</p>
        </EmptyState>
      ) : (
        <div className="transaction-panels">
          <Facts view={view} figures={figures} />
          <Panel id="histogram" title="Histogram">
            <DurationHistogram bars={view.bars} />
          </Panel>
          <SpanTransactions view={view} />
        </div>
      )}
    </NowProvider>
  )
}

function Facts({ view, figures }: { view: SpanGroupView; figures: NonNullable<SpanGroupView['figures']> }) {
  const { before, p99, category, firstSeenAt, period } = view
  return (
    <DefinitionList
      layout="facts"
      items={[
        ...durationFacts({ figures, before, p99, period }),
        { term: 'Category', description: category },
        { term: 'First seen', description: <Time at={firstSeenAt} /> },
      ]}
    />
  )
}
