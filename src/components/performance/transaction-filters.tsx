import { useNavigate } from '@tanstack/react-router'
import { EnvironmentSelect } from '#components/project/environment-select.tsx'
import { ChoiceTabs } from '#components/ui/form/choice-tabs.tsx'
import { FilterForm } from '#components/ui/form/filter-form.tsx'
import type { TransactionSearch } from '#server/console/performance/performance.search.ts'
import type { TransactionView } from '#server/console/performance/views.ts'
import { listedPeriods, performancePeriodNames } from './performance-search.ts'

/** The period and the environment of a transaction: links, and a GET form. */
export function TransactionFilters({ view, search }: { view: TransactionView; search: TransactionSearch }) {
  const navigate = useNavigate()
  const address = {
    to: '/performance/$project/$transaction',
    params: { project: view.project.slug, transaction: view.id },
  } as const

  function apply(valueOf: (name: string) => string) {
    const environment = valueOf('environment')
    void navigate({
      ...address,
      search: { ...search, environment: environment === '' ? undefined : environment },
    })
  }

  return (
    <div className="filter-bar">
      <ChoiceTabs
        label="Period"
        choices={listedPeriods}
        names={performancePeriodNames}
        current={view.period}
        linkTo={(period) => ({
          ...address,
          search: { ...search, period: period === '24h' ? undefined : period },
        })}
      />
      <FilterForm
        action={`/performance/${view.project.slug}/${view.id}`}
        values={{ environment: search.environment }}
        label="Filters"
        onApply={apply}
      >
        {search.period === undefined ? null : <input type="hidden" name="period" value={search.period} />}
        <EnvironmentSelect environments={view.environments} chosen={search.environment} />
      </FilterForm>
    </div>
  )
}
