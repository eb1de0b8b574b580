import { useNavigate } from '@tanstack/react-router'
import { UnreadableEntry } from '#components/form/unreadable-entry.tsx'
import { useForm } from '#components/form/use-form.ts'
import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { NoValue } from '#components/performance/no-value.tsx'
import { ProjectSelect } from '#components/project/project-select.tsx'
import { ChoiceTabs } from '#components/ui/form/choice-tabs.tsx'
import { FilterForm } from '#components/ui/form/filter-form.tsx'
import { Link } from '#components/ui/link.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { okShareText } from '#numbers/number-text.ts'
import type { MonitorListSearch } from '#server/console/monitors/monitors.search.ts'
import type { EnvironmentView, MonitorListView, MonitorSummary } from '#server/console/monitors/views.ts'
import { MonitorBadges } from './monitor-badges.tsx'
import {
  changeMonitorSearch,
  defaultMonitorPeriod,
  listedMonitorPeriods,
  monitorPeriodNames,
} from './monitor-search.ts'
import { MonitorTimeline } from './timeline.tsx'
import '#styles/reports.css'
import '#styles/settings.css'

const columnsOf = (period: string) => [
  { name: 'Monitor', className: 'issue-cell' },
  { name: `Last ${period}`, className: 'timeline-cell' },
  { name: 'Last', className: 'time-cell' },
  { name: 'Next', className: 'time-cell' },
]

/** The `/monitors` screen: the monitors with their environments, and both empty states. */
export function MonitorList({ view, search }: { view: MonitorListView; search: MonitorListSearch }) {
  const { page = 1 } = search
  const period = monitorPeriodNames[search.period ?? defaultMonitorPeriod]
  const toPage = (to: number) =>
    ({ to: '/monitors', search: { ...search, page: to < 2 ? undefined : to } }) as const
  return (
    <NowProvider now={view.now}>
      <PageHeader title="Monitors">
        {view.canCreate ? (
          <div className="monitor-buttons">
            <Link to="/monitors/new-uptime" className="button">
              New uptime monitor
            </Link>
            <Link to="/monitors/new" className="button">
              New cron monitor
            </Link>
          </div>
        ) : null}
      </PageHeader>
      <MonitorFilters view={view} search={search} />
      {view.unreadable.map((monitor) => (
        <UnreadableMonitor key={monitor.id} monitor={monitor} />
      ))}
      {view.monitors.length === 0 && view.unreadable.length === 0 ? (
        <NoMonitors isFiltered={search.project !== undefined || search.kind !== undefined} />
      ) : null}
      {view.monitors.length > 0 ? (
        <table className="issue-table monitor-table">
          <caption className="visually-hidden">Monitors</caption>
          <TableHead columns={columnsOf(period)} />
          <tbody>
            {view.monitors.flatMap((monitor) =>
              monitor.environments.length === 0 ? (
                <MonitorRow
                  key={monitor.id}
                  monitor={monitor}
                  environment={undefined}
                  view={view}
                  period={period}
                />
              ) : (
                monitor.environments.map((each) => (
                  <MonitorRow
                    key={`${monitor.id} ${each.name}`}
                    monitor={monitor}
                    environment={each}
                    view={view}
                    period={period}
                  />
                ))
              ),
            )}
          </tbody>
        </table>
      ) : null}
      <Pagination
        label="Pages of monitors"
        previous={page > 1 ? toPage(page - 1) : undefined}
        next={view.hasNext ? toPage(page + 1) : undefined}
      />
    </NowProvider>
  )
}

const kinds = [
  { value: 'cron', label: 'Cron' },
  { value: 'uptime', label: 'Uptime' },
] as const

/** The filters of the monitors: links for the period, a GET form for the rest. */
function MonitorFilters({ view, search }: { view: MonitorListView; search: MonitorListSearch }) {
  const navigate = useNavigate()
  const { project, kind, period } = search

  const linkTo = (change: MonitorListSearch) =>
    ({ to: '/monitors', search: changeMonitorSearch(search, change) }) as const

  function apply(valueOf: (name: string) => string) {
    const change = {
      project: valueOf('project'),
      kind: kinds.find(({ value }) => value === valueOf('kind'))?.value,
    }
    void navigate(linkTo(change))
  }

  return (
    <div className="filter-bar">
      <ChoiceTabs
        label="Period"
        choices={listedMonitorPeriods}
        names={monitorPeriodNames}
        current={period ?? defaultMonitorPeriod}
        linkTo={(each) => linkTo({ period: each })}
      />
      <FilterForm action="/monitors" values={{ project, kind }} label="Filters" onApply={apply}>
        {period === undefined ? null : <input type="hidden" name="period" value={period} />}
        {view.projects.length > 1 ? <ProjectSelect projects={view.projects} chosen={project} /> : null}
        <select name="kind" aria-label="Kind" defaultValue={kind ?? ''}>
          <option value="">All kinds</option>
          {kinds.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </FilterForm>
    </div>
  )
}

interface MonitorRowProps {
  monitor: MonitorSummary
  environment: EnvironmentView | undefined
  view: MonitorListView
  period: string
}

function MonitorRow({ monitor, environment, view, period }: MonitorRowProps) {
  const { slug, name, project, schedule, target, kind } = monitor
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
        <div className="issue-line release-meta monitor-meta">
          <span>{project.name}</span>
          {environment === undefined ? null : <bdi>{environment.name}</bdi>}
          <span>{schedule}</span>
          {target === undefined ? null : <bdi>{target}</bdi>}
          {environment?.okShare === undefined ? null : <span>{okShareText(environment.okShare)}</span>}
        </div>
      </th>
      <td className="timeline-cell">
        {environment === undefined ? (
          <span className="quiet">No check-in yet</span>
        ) : (
          <MonitorTimeline steps={environment.steps} view={view} period={`the last ${period}`} kind={kind} />
        )}
      </td>
      <td className="time-cell" data-name="last">
        {environment === undefined ? <NoValue why="No check-ins" /> : <Time at={environment.lastAt} />}
      </td>
      <td className="time-cell" data-name="next">
        {environment?.nextAt === undefined ? (
          <NoValue why="None expected" />
        ) : (
          <Time at={environment.nextAt} near="now" />
        )}
      </td>
    </tr>
  )
}

/** They are neither checked nor shown with data, so the screen names them. */
function UnreadableMonitor({
  monitor: { id, name, projectName, canConfigure },
}: {
  monitor: MonitorListView['unreadable'][number]
}) {
  const remove = useForm('delete', { of: { monitor: id } })
  return (
    <UnreadableEntry
      remove={remove}
      subject={name}
      warning="The monitor and its results can’t be restored, not even by the newer version. Its issues remain."
      isDeletable={canConfigure}
    >
      This version of Culvert cannot read the monitor “<bdi>{name}</bdi>” of <bdi>{projectName}</bdi>: a newer
      version has saved it. It creates no issues. Install that version again, or a newer one.
    </UnreadableEntry>
  )
}

function NoMonitors({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No monitors found">
        <p>No monitor matches the filters.</p>
        <Link to="/monitors" search={{}} className="button">
          Clear filters
        </Link>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No monitors yet">
      <p>
        A monitor creates an issue when a job does not run, fails or does not end, or when a service is down.{' '}
        <code>withMonitor</code> of your SDK creates a monitor with the first check-in.
      </p>
      <Link to="/docs/$guide" params={{ guide: 'monitors' }} className="button">
        Send check-ins
      </Link>
    </EmptyState>
  )
}
