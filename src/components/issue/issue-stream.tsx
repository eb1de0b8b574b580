import { PageHeader } from '#components/layout/page-header.tsx'
import { NowProvider } from '#components/ui/now-provider.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import type { IssueListView } from '#server/store/views.ts'
import type { IssueBulkActions } from './issue-bulk-bar.tsx'
import { IssueFilters } from './issue-filters.tsx'
import { IssueList } from './issue-list.tsx'
import { changeIssueSearch } from './issue-search.ts'
import type { IssueSearch } from './issue-search.ts'
import { NoEventsYet, NoIssuesMatch } from './issue-stream-empty.tsx'
import { IssueTable } from './issue-table.tsx'

interface IssueStreamProps {
  view: IssueListView
  search: IssueSearch
  actions: IssueBulkActions
}

/** The `/issues` screen: filters, the stream, its pages, and both empty states. */
export function IssueStream({ view, search, actions }: IssueStreamProps) {
  if (view.isEmptyInstallation) {
    return (
      <>
        <PageHeader title="Issues" />
        <NoEventsYet />
      </>
    )
  }
  const toPage = (cursor: string | undefined) =>
    cursor === undefined
      ? undefined
      : ({ to: '/issues', search: changeIssueSearch(search, { cursor }) } as const)
  return (
    <NowProvider now={view.now}>
      <PageHeader title="Issues" />
      <IssueFilters search={search} projects={view.projects} environments={view.environments} />
      {view.issues.length === 0 ? (
        <NoIssuesMatch search={search} />
      ) : (
        <Issues view={view} search={search} actions={actions} />
      )}
      <Pagination
        label="Pages of issues"
        previous={toPage(view.previousCursor)}
        next={toPage(view.nextCursor)}
      />
    </NowProvider>
  )
}

/** With boxes for those who may do something with what they tick. */
function Issues({ view: { issues, mayTriage }, search, actions }: IssueStreamProps) {
  return mayTriage ? (
    <IssueList issues={issues} search={search} actions={actions} />
  ) : (
    <IssueTable issues={issues} search={search} />
  )
}
