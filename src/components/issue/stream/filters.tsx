import { useNavigate } from '@tanstack/react-router'
import { EnvironmentSelect } from '#components/project/environment-select.tsx'
import { ProjectSelect } from '#components/project/project-select.tsx'
import { FilterForm } from '#components/ui/form/filter-form.tsx'
import { Link } from '#components/ui/link.tsx'
import type { IssueListView, IssueSearch } from '#server/console/issues/views.ts'
import { SearchField } from './search-field.tsx'
import { SearchProblems } from './search-problems.tsx'
import type { FindValues } from './search-suggestions.tsx'
import { changeIssueSearch, defaultIssueSort, issueRangeNames, issueSortNames } from './search.ts'
import { IssueStatusTabs } from './status-tabs.tsx'

const problemsId = 'search-problems'

function parseChoice<Name extends string>(names: Record<Name, string>, value: string): Name | undefined {
  for (const name in names) if (name === value) return name
  return undefined
}

interface IssueFiltersProps {
  search: IssueSearch
  view: IssueListView
  findValues: FindValues
}

/**
 * The filters and the sort order of the list: a GET form, so an empty `project=` in the URL means every
 * project.
 */
export function IssueFilters({ search, view, findValues }: IssueFiltersProps) {
  const navigate = useNavigate()

  function apply(valueOf: (name: string) => string) {
    const change = {
      q: valueOf('q'),
      status: search.status ?? 'unresolved',
      project: valueOf('project'),
      environment: valueOf('environment'),
      range: parseChoice(issueRangeNames, valueOf('range')),
      sort: parseChoice(issueSortNames, valueOf('sort')),
    }
    void navigate({ to: '/issues', search: changeIssueSearch(search, change) })
  }

  const { q = '', project, environment, range, sort = defaultIssueSort } = search
  const hasProblems = view.query.problems.length > 0
  const hasFilter = [search.q, project, environment, range].some((value) => value !== undefined)
  return (
    <div className="filter-bar issue-filters">
      <FilterForm
        action="/issues"
        values={{ q, project, environment, range, sort }}
        role="search"
        label="Filters"
        onApply={apply}
      >
        <input type="hidden" name="status" value={search.status ?? 'unresolved'} />
        {search.bars === undefined ? null : <input type="hidden" name="bars" value={search.bars} />}
        <SearchField
          text={q}
          problemsId={hasProblems ? problemsId : undefined}
          people={view.people}
          findValues={findValues}
        />
        <div className="issue-filter-choices">
          <ProjectSelect projects={view.projects} own={view.own} chosen={project} />
          <EnvironmentSelect environments={view.environments} chosen={environment} />
          <Choice
            name="range"
            label="Time range"
            chosen={range}
            names={{ '': 'Any time', ...issueRangeNames }}
          />
          <Choice name="sort" label="Sort by" chosen={sort} names={issueSortNames} />
          {hasFilter ? (
            <Link
              to="/issues"
              search={{ status: search.status ?? 'unresolved' }}
              activeOptions={{ exact: true }}
            >
              Clear filters
            </Link>
          ) : null}
        </div>
      </FilterForm>
      <SearchProblems id={problemsId} text={q} problems={view.query.problems} />
      <IssueStatusTabs search={search} view={view} />
    </div>
  )
}

interface ChoiceProps {
  name: string
  label: string
  chosen: string | undefined
  names: Record<string, string>
}

function Choice({ name, label, chosen, names }: ChoiceProps) {
  return (
    <select name={name} aria-label={label} defaultValue={chosen ?? ''}>
      {Object.entries(names).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}
