import { PageHeader } from '#components/layout/page-header.tsx'
import { NowProvider } from '#components/ui/now-provider.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import type { IssueListView } from '#server/store/views.ts'
import { IssueFilters } from './issue-filters.tsx'
import { changeIssueSearch } from './issue-search.ts'
import type { IssueSearch } from './issue-search.ts'
import { NoEventsYet, NoIssuesMatch } from './issue-stream-empty.tsx'
import { IssueTable } from './issue-table.tsx'

/** The `/issues` screen: filters, the stream, its pages, and both empty states. */
export function IssueStream({ view, search }: { view: IssueListView; search: IssueSearch }) {
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
        <IssueTable issues={view.issues} search={search} />
      )}
      <Pagination
        label="Pages of issues"
        previous={toPage(view.previousCursor)}
        next={toPage(view.nextCursor)}
      />
    </NowProvider>
  )
}
