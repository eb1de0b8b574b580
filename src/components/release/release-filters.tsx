import { useNavigate } from '@tanstack/react-router'
import { EnvironmentSelect } from '#components/project/environment-select.tsx'
import { ProjectSelect } from '#components/project/project-select.tsx'
import { ChoiceTabs } from '#components/ui/form/choice-tabs.tsx'
import { FilterForm } from '#components/ui/form/filter-form.tsx'
import type { ReleaseListSearch } from '#server/console/releases/releases.search.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { ReleaseSort } from '#server/store/releases/records.ts'
import { changeReleaseSearch, defaultReleaseSort, releaseSortNames } from './release-search.ts'

const sorts: readonly ReleaseSort[] = ['date', 'version']

interface ReleaseFiltersProps {
  search: ReleaseListSearch
  projects: readonly ProjectName[]
  environments: readonly string[]
}

/** Which releases are shown and in what order: links for the order, a GET form for the rest. */
export function ReleaseFilters({ search, projects, environments }: ReleaseFiltersProps) {
  const navigate = useNavigate()

  function apply(valueOf: (name: string) => string) {
    const change = { project: valueOf('project'), environment: valueOf('environment'), q: valueOf('q') }
    void navigate({ to: '/releases', search: changeReleaseSearch(search, change) })
  }

  return (
    <div className="filter-bar">
      <ChoiceTabs
        label="Order"
        choices={sorts}
        names={releaseSortNames}
        current={search.sort ?? defaultReleaseSort}
        linkTo={(sort) => ({ to: '/releases', search: changeReleaseSearch(search, { sort }) })}
      />
      <FilterForm
        action="/releases"
        values={{ q: search.q, project: search.project, environment: search.environment }}
        label="Filters"
        onApply={apply}
      >
        {search.sort === undefined ? null : <input type="hidden" name="sort" value={search.sort} />}
        <input
          type="search"
          name="q"
          aria-label="Version contains"
          placeholder="Version"
          defaultValue={search.q ?? ''}
          maxLength={200}
        />
        <ProjectSelect projects={projects} chosen={search.project} />
        <EnvironmentSelect environments={environments} chosen={search.environment} />
      </FilterForm>
    </div>
  )
}
