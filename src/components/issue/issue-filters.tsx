import { Link, useNavigate } from '@tanstack/react-router'
import type { SubmitEvent } from 'react'
import { ProjectSelect } from '#components/project/project-select.tsx'
import type { IssueSort, ProjectName } from '#server/store/views.ts'
import { changeIssueSearch, defaultIssueSort, issueSortNames } from './issue-search.ts'
import type { IssueSearch } from './issue-search.ts'
import { IssueStatusTabs } from './issue-status-tabs.tsx'

const sorts: readonly IssueSort[] = ['last_seen', 'first_seen', 'events', 'users']

function parseSort(value: FormDataEntryValue | null): IssueSort {
  return sorts.find((sort) => sort === value) ?? defaultIssueSort
}

function parseText(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : ''
}

/** Which issues are shown and in what order: a GET form, so an empty `project=` in the URL means every project. */
export function IssueFilters({
  search,
  projects,
  environments,
}: {
  search: IssueSearch
  projects: readonly ProjectName[]
  environments: readonly string[]
}) {
  const navigate = useNavigate()

  function apply(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const change = {
      project: parseText(form.get('project')),
      environment: parseText(form.get('environment')),
      sort: parseSort(form.get('sort')),
    }
    void navigate({ to: '/issues', search: changeIssueSearch(search, change) })
  }

  const sort = search.sort ?? defaultIssueSort
  const hasFilter = search.project !== undefined || search.environment !== undefined
  return (
    <div className="issue-filters">
      <IssueStatusTabs search={search} />
      <form
        key={`${search.project} ${search.environment} ${sort}`}
        action="/issues"
        method="get"
        aria-label="Filters"
        onSubmit={apply}
      >
        {search.status === undefined ? null : <input type="hidden" name="status" value={search.status} />}
        <ProjectSelect projects={projects} chosen={search.project} />
        <select name="environment" aria-label="Environment" defaultValue={search.environment ?? ''}>
          <option value="">All environments</option>
          {environments.map((environment) => (
            <option key={environment}>{environment}</option>
          ))}
        </select>
        <select name="sort" aria-label="Sort by" defaultValue={sort}>
          {sorts.map((candidate) => (
            <option key={candidate} value={candidate}>
              {issueSortNames[candidate]}
            </option>
          ))}
        </select>
        <button type="submit" className="button">
          Apply
        </button>
        {hasFilter ? (
          <Link
            to="/issues"
            search={changeIssueSearch(search, { project: '', environment: '' })}
            activeOptions={{ exact: true }}
          >
            Clear filters
          </Link>
        ) : null}
      </form>
    </div>
  )
}
