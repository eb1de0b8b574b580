import { useNavigate } from '@tanstack/react-router'
import { EnvironmentSelect } from '#components/project/environment-select.tsx'
import { ProjectSelect } from '#components/project/project-select.tsx'
import { ChoiceTabs } from '#components/ui/form/choice-tabs.tsx'
import { FilterForm } from '#components/ui/form/filter-form.tsx'
import type { PerformanceSearch } from '#server/console/performance/performance.search.ts'
import type { PerformanceSort, PerformanceView } from '#server/console/performance/views.ts'
import { devices } from '#traces/web-vitals.ts'
import {
  changePerformanceSearch,
  deviceNames,
  performancePeriodNames,
  performanceSortNames,
  performanceViewNames,
  listedSorts,
  listedViews,
  periodsOf,
  sortsOf,
} from './performance-search.ts'

/** The filters of the performance lists: links for list and period, a GET form for the rest. */
export function PerformanceFilters({ search, view }: { search: PerformanceSearch; view: PerformanceView }) {
  const navigate = useNavigate()
  const sort = sortsOf(view.view).find((each) => each === search.sort) ?? 'time'

  const linkTo = (change: PerformanceSearch) => {
    return { to: '/performance', search: changePerformanceSearch(search, change) } as const
  }

  function apply(valueOf: (name: string) => string) {
    const change = {
      project: valueOf('project'),
      environment: valueOf('environment'),
      q: valueOf('q'),
      device: devices.find((device) => device === valueOf('device')),
      sort: listedSorts.find((each) => each === valueOf('sort')),
    }
    void navigate(linkTo(change))
  }

  return (
    <>
      <ChoiceTabs
        label="Lists"
        choices={listedViews}
        names={performanceViewNames}
        current={view.view}
        linkTo={(each) => linkTo({ view: each, q: '' })}
      />
      <div className="filter-bar">
        <ChoiceTabs
          label="Period"
          choices={periodsOf(view.view)}
          names={performancePeriodNames}
          current={view.period}
          linkTo={(period) => linkTo({ period })}
        />
        <FilterForm
          action="/performance"
          values={{
            q: search.q,
            project: search.project,
            environment: search.environment,
            device: search.device,
            sort,
          }}
          label="Filters"
          onApply={apply}
        >
          {search.view === undefined ? null : <input type="hidden" name="view" value={search.view} />}
          {search.period === undefined ? null : <input type="hidden" name="period" value={search.period} />}
          <input
            type="search"
            name="q"
            aria-label="Name contains"
            placeholder="Name"
            defaultValue={search.q ?? ''}
            maxLength={200}
          />
          <ProjectSelect projects={view.projects} chosen={search.project} />
          {view.view === 'transactions' ? (
            <EnvironmentSelect environments={view.environments} chosen={search.environment} />
          ) : null}
          {view.view === 'vitals' ? (
            <DeviceSelect chosen={search.device} />
          ) : (
            <SortSelect chosen={sort} sorts={sortsOf(view.view)} />
          )}
        </FilterForm>
      </div>
    </>
  )
}

function DeviceSelect({ chosen }: { chosen: PerformanceSearch['device'] }) {
  return (
    <select name="device" aria-label="Device" defaultValue={chosen ?? ''}>
      <option value="">All devices</option>
      {devices.map((device) => (
        <option key={device} value={device}>
          {deviceNames[device]}
        </option>
      ))}
    </select>
  )
}

function SortSelect({ chosen, sorts }: { chosen: PerformanceSort; sorts: readonly PerformanceSort[] }) {
  return (
    <select name="sort" aria-label="Sort by" defaultValue={chosen}>
      {sorts.map((sort) => (
        <option key={sort} value={sort}>
          {performanceSortNames[sort]}
        </option>
      ))}
    </select>
  )
}
