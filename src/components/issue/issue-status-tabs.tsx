import { Link } from '@tanstack/react-router'
import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { changeIssueSearch, defaultIssueStatus, issueStatusNames } from './issue-search.ts'
import type { IssueSearch, IssueStatusFilter } from './issue-search.ts'

const statuses: readonly IssueStatusFilter[] = ['unresolved', 'resolved', 'archived', 'all']

/** The statuses as links; the other filters stay. */
export function IssueStatusTabs({ search }: { search: IssueSearch }) {
  const current = search.status ?? defaultIssueStatus
  return (
    <LinkTabs label="Status">
      {statuses.map((status) => (
        <Link
          key={status}
          to="/issues"
          search={changeIssueSearch(search, { status })}
          activeOptions={{ exact: true }}
          aria-current={status === current ? 'page' : undefined}
        >
          {issueStatusNames[status]}
        </Link>
      ))}
    </LinkTabs>
  )
}
