import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Link } from '#components/ui/link.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { PerformanceSearch } from '#server/console/performance/performance.search.ts'
import type { PerformanceView, PerformanceViewName } from '#server/console/performance/views.ts'
import { FigureTable } from './figure-table.tsx'
import { PerformanceFilters } from './performance-filters.tsx'
import { changePerformanceSearch } from './performance-search.ts'
import { VitalTable } from './vital-table.tsx'
import '#styles/reports.css'

const captions: Record<PerformanceViewName, string> = {
  transactions: 'Transactions by total time',
  queries: 'Database queries by total time',
  requests: 'HTTP requests by total time',
  caches: 'Cache operations by total time',
  queues: 'Queues by total time of their messages',
  resources: 'Page resources by total load time',
  vitals: 'Web vitals by route',
}

/** The `/performance` screen: lists, filters, and both empty states. */
export function PerformancePage({ view, search }: { view: PerformanceView; search: PerformanceSearch }) {
  const { page = 1 } = search
  const toPage = (to: number) =>
    ({ to: '/performance', search: changePerformanceSearch(search, { page: to }) }) as const
  const isEmpty = view.figures.length === 0 && view.routes.length === 0
  return (
    <NowProvider now={view.now}>
      <PageHeader title="Performance" />
      <PerformanceFilters search={search} view={view} />
      {isEmpty ? <NothingMeasured search={search} /> : null}
      {view.figures.length > 0 ? <FigureTable view={view} caption={captions[view.view]} /> : null}
      {view.routes.length > 0 ? <VitalTable routes={view.routes} /> : null}
      <Pagination
        label="Pages of the list"
        previous={page > 1 ? toPage(page - 1) : undefined}
        next={view.hasNext ? toPage(page + 1) : undefined}
      />
    </NowProvider>
  )
}

function NothingMeasured({ search }: { search: PerformanceSearch }) {
  const isFiltered = [
    search.project,
    search.environment,
    search.q,
    search.period,
    search.device,
    search.page,
  ].some((value) => value !== undefined)
  if (isFiltered)
    return (
      <EmptyState title="No data">
        <p>No transaction or span matches these filters.</p>
        <Link
          to="/performance"
          search={search.view === undefined ? {} : { view: search.view }}
          className="button"
        >
          Clear filters
        </Link>
      </EmptyState>
    )
  return (
    <EmptyState title="No data in 24 hours">
      <p>
        Figures appear once your SDK sends traces: set <code>tracesSampleRate</code> in{' '}
        <code>Sentry.init</code>, for example to <code>1</code>.
      </p>
      <SpanSource view={search.view} />
    </EmptyState>
  )
}

/** The spans that a list shows, if SDKs do not send them by default. */
function SpanSource({ view }: { view: PerformanceViewName | undefined }) {
  if (view === 'caches')
    return (
      <p>
        Operations of caches are spans whose op begins with <code>cache.</code>, for example{' '}
        <code>cache.get</code>. For Redis, set <code>cachePrefixes</code> of <code>redisIntegration</code>.
      </p>
    )
  if (view === 'queues')
    return (
      <p>
        Messages are spans whose op begins with <code>queue.</code>, for example <code>queue.process</code>,
        with the name of the queue as <code>messaging.destination.name</code>.
      </p>
    )
  return null
}
