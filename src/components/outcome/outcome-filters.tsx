import { useNavigate } from '@tanstack/react-router'
import { ProjectSelect } from '#components/project/project-select.tsx'
import { ChoiceTabs } from '#components/ui/form/choice-tabs.tsx'
import { FilterForm } from '#components/ui/form/filter-form.tsx'
import type { OutcomeSearch } from '#server/console/outcomes/outcomes.search.ts'
import type { OutcomePeriod } from '#server/console/outcomes/views.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { changeOutcomeSearch, outcomePeriodNames } from './outcome-search.ts'

const periods: readonly OutcomePeriod[] = ['24h', '7d', '30d']

interface OutcomeFiltersProps {
  search: OutcomeSearch
  projects: readonly ProjectName[]
  period: OutcomePeriod
}

/** The filters of outcomes: links for the period, a GET form for the project. */
export function OutcomeFilters({ search, projects, period }: OutcomeFiltersProps) {
  const navigate = useNavigate()

  function apply(valueOf: (name: string) => string) {
    const change = { project: valueOf('project') }
    void navigate({ to: '/outcomes', search: changeOutcomeSearch(search, change) })
  }

  return (
    <div className="filter-bar">
      <ChoiceTabs
        label="Period"
        choices={periods}
        names={outcomePeriodNames}
        current={period}
        linkTo={(each) => ({ to: '/outcomes', search: changeOutcomeSearch(search, { period: each }) })}
      />
      <FilterForm action="/outcomes" values={{ project: search.project }} label="Filters" onApply={apply}>
        {search.period === undefined ? null : <input type="hidden" name="period" value={search.period} />}
        <ProjectSelect projects={projects} chosen={search.project} />
      </FilterForm>
    </div>
  )
}
