import { PageHeader } from '#components/layout/page-header.tsx'
import type { FormAction } from '#components/ui/action-form.tsx'
import { NowProvider } from '#components/ui/now-provider.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import type { IssueListView } from '#server/store/issue-list-views.ts'
import type { IssueBulkActions } from './issue-bulk-bar.tsx'
import { IssueFilters } from './issue-filters.tsx'
import { IssueList } from './issue-list.tsx'
import { changeIssueSearch } from './issue-search.ts'
import type { IssueSearch } from './issue-search.ts'
import { NoEventsYet, NoIssuesMatch, NoIssuesSoFar } from './issue-stream-empty.tsx'
import { IssueTable } from './issue-table.tsx'
import { SavedSearches } from './saved-searches.tsx'
import type { FindValues } from './search-field.tsx'

interface IssueStreamProps {
  findValues: FindValues
  savedSearchAction: FormAction
  view: IssueListView
  search: IssueSearch
  actions: IssueBulkActions
}

/** The `/issues` screen: filters, the stream, its pages, and both empty states. */
export function IssueStream({ view, search, actions, findValues, savedSearchAction }: IssueStreamProps) {
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
      <div className="issue-stream-head">
        <PageHeader title="Issues" />
        <SavedSearches view={view} search={search} action={savedSearchAction} />
      </div>
      <IssueFilters search={search} view={view} findValues={findValues} />
      {view.issues.length > 0 ? (
        <Issues view={view} search={search} actions={actions} />
      ) : view.cutShort === undefined ? (
        <NoIssuesMatch search={search} view={view} />
      ) : (
        <NoIssuesSoFar page={view.cutShort} />
      )}
      {view.issues.length > 0 && view.cutShort !== undefined ? (
        <p className="list-note">
          Not all issues have been looked through yet: the {view.cutShort} page goes on.
        </p>
      ) : null}
      <Pagination
        label="Pages of issues"
        previous={toPage(view.previousCursor)}
        next={toPage(view.nextCursor)}
      />
    </NowProvider>
  )
}

/** With boxes for those who may do something with what they tick. */
function Issues({
  view: { issues, mayTriage, people, bars },
  search,
  actions,
}: Pick<IssueStreamProps, 'view' | 'search' | 'actions'>) {
  return mayTriage ? (
    <IssueList issues={issues} search={search} actions={actions} people={people} bars={bars} />
  ) : (
    <IssueTable issues={issues} search={search} bars={bars} />
  )
}
