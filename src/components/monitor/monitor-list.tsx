import { Link, useNavigate } from '@tanstack/react-router'
import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { ProjectSelect } from '#components/project/project-select.tsx'
import { FilterForm } from '#components/ui/form/filter-form.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { MonitorListSearch } from '#server/console/monitors/monitors.search.ts'
import type { EnvironmentView, MonitorListView, MonitorSummary } from '#server/console/monitors/views.ts'
import { MonitorBadges } from './monitor-badges.tsx'
import { MonitorTimeline } from './timeline.tsx'
import '#styles/reports.css'

const columns = [
  { name: 'Monitor', className: 'issue-cell' },
  { name: 'Last 24 hours', className: 'timeline-cell' },
  { name: 'Last check-in', className: 'time-cell' },
  { name: 'Next expected', className: 'time-cell' },
]

/** The `/monitors` screen: the monitors with their environments, and both empty states. */
export function MonitorList({ view, search }: { view: MonitorListView; search: MonitorListSearch }) {
  const { page = 1 } = search
  const toPage = (to: number) =>
    ({ to: '/monitors', search: { ...search, page: to < 2 ? undefined : to } }) as const
  return (
    <NowProvider now={view.now}>
      <PageHeader title="Monitors">
        {view.mayCreate ? (
          <Link to="/monitors/new" className="button">
            New monitor
          </Link>
        ) : null}
      </PageHeader>
      {view.projects.length > 1 ? <MonitorFilters view={view} search={search} /> : null}
      {view.monitors.length === 0 ? (
        <NoMonitors isFiltered={search.project !== undefined} />
      ) : (
        <table className="issue-table monitor-table">
          <caption className="visually-hidden">Monitors</caption>
          <TableHead columns={columns} />
          <tbody>
            {view.monitors.flatMap((monitor) =>
              monitor.environments.length === 0 ? (
                <MonitorRow key={monitor.id} monitor={monitor} environment={undefined} />
              ) : (
                monitor.environments.map((each) => (
                  <MonitorRow key={`${monitor.id} ${each.name}`} monitor={monitor} environment={each} />
                ))
              ),
            )}
          </tbody>
        </table>
      )}
      <Pagination
        label="Pages of monitors"
        previous={page > 1 ? toPage(page - 1) : undefined}
        next={view.hasNext ? toPage(page + 1) : undefined}
      />
    </NowProvider>
  )
}

function MonitorFilters({ view, search }: { view: MonitorListView; search: MonitorListSearch }) {
  const navigate = useNavigate()
  const apply = (form: FormData) => {
    const project = form.get('project')
    const isChosen = typeof project === 'string' && project !== ''
    void navigate({ to: '/monitors', search: isChosen ? { project } : {} })
  }
  return (
    <div className="filter-bar">
      <FilterForm action="/monitors" values={{ project: search.project }} label="Filters" onApply={apply}>
        <ProjectSelect projects={view.projects} chosen={search.project} />
      </FilterForm>
    </div>
  )
}

function MonitorRow({
  monitor,
  environment,
}: {
  monitor: MonitorSummary
  environment: EnvironmentView | undefined
}) {
  const { slug, name, project, schedule } = monitor
  return (
    <tr>
      <th scope="row" className="issue-cell">
        <div className="issue-line">
          <Link
            to="/monitors/$project/$slug"
            params={{ project: project.slug, slug }}
            search={environment === undefined ? {} : { environment: environment.name }}
            className="row-link"
          >
            <bdi>{name}</bdi>
          </Link>
          <MonitorBadges monitor={monitor} environment={environment} />
        </div>
        <div className="issue-line release-meta">
          <span>{project.name}</span>
          {environment === undefined ? null : (
            <span className="release-environments">
              <bdi>{environment.name}</bdi>
            </span>
          )}
          <span>{schedule}</span>
        </div>
      </th>
      <td className="timeline-cell">
        {environment === undefined ? (
          <span className="quiet">No check-in yet</span>
        ) : (
          <MonitorTimeline steps={environment.steps} period="the last 24 hours" />
        )}
      </td>
      <td className="time-cell" data-name="last">
        {environment === undefined ? 'none' : <Time at={environment.lastAt} />}
      </td>
      <td className="time-cell" data-name="next">
        {environment?.nextAt === undefined ? 'none' : <Time at={environment.nextAt} />}
      </td>
    </tr>
  )
}

function NoMonitors({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No monitors in this project">
        <p>The project has no monitors.</p>
        <Link to="/monitors" search={{}} className="button">
          Clear filters
        </Link>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No monitors yet">
      <p>
        A monitor makes an issue when a job did not run, failed or did not end. <code>withMonitor</code> of
        your SDK creates it with the first check-in.
      </p>
      <Link to="/docs/$guide" params={{ guide: 'monitors' }} className="button">
        Send check-ins
      </Link>
    </EmptyState>
  )
}
