import { lazy, Suspense, type ReactNode } from 'react'
import { PageHeader } from '#components/layout/page-header.tsx'
import type { FormAction } from '#components/ui/form/action-form.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { IssueListView, IssueSearch } from '#server/console/issues/views.ts'
import { CutShortNote } from './cut-short-note.tsx'
import { IssueFilters } from './filters.tsx'
import { IssueList, type IssueListActions } from './list.tsx'
import { OwnIssuesNote } from './own-issues-note.tsx'
import { SavedSearches } from './saved-searches.tsx'
import type { FindValues } from './search-suggestions.tsx'
import { changeIssueSearch } from './search.ts'
import { IssueTable } from './table.tsx'

/** Loaded only if needed, because most lists have rows. */
const EmptyStream = lazy(async () => ({
  default: (await import('./empty.tsx')).EmptyStream,
}))

interface IssueStreamProps {
  /** The notice of new issues that are not shown yet. */
  pendingNotice: ReactNode
  /** The notice of late counts. */
  late: ReactNode
  /** The page may be outdated and is being reloaded. */
  isUnsure: boolean
  findValues: FindValues
  savedSearchAction: FormAction
  view: IssueListView
  search: IssueSearch
  actions: IssueListActions
}

/** The `/issues` screen: filters, the stream, its pages, and both empty states. */
export function IssueStream(props: IssueStreamProps) {
  const { view, search, late, findValues, savedSearchAction } = props
  if (view.isEmptyInstallation) {
    return (
      <>
        <div className="issue-stream-head">
          <PageHeader title="Issues" />
          <OwnIssuesNote own={view.own} />
        </div>
        <Empty {...props} />
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
        <p className="late-counts" role="status">
          <Suspense>{late}</Suspense>
        </p>
        <OwnIssuesNote own={view.own} />
      </div>
      <IssueFilters search={search} view={view} findValues={findValues} />
      <Issues {...props} />
      <Pagination
        label="Pages of issues"
        previous={toPage(view.previousCursor)}
        next={toPage(view.nextCursor)}
      />
    </NowProvider>
  )
}

function Empty({ view, search, isUnsure }: IssueStreamProps) {
  return (
    <Suspense>
      <EmptyStream view={view} search={search} isUnsure={isUnsure} />
    </Suspense>
  )
}

function Issues(props: IssueStreamProps) {
  const { view, search, actions, pendingNotice } = props
  const { issues, cutShort } = view
  if (issues.length === 0) return <Empty {...props} />
  const { bars, viewerId } = view
  const list = { issues, search, bars, viewerId }
  return (
    <>
      <div className="new-rows" role="status">
        <Suspense>{pendingNotice}</Suspense>
      </div>
      {/* With checkboxes for users who can change issues. */}
      {view.canTriage ? (
        <IssueList {...list} actions={actions} people={view.people} />
      ) : (
        <IssueTable {...list} />
      )}
      <CutShortNote cutShort={cutShort} />
    </>
  )
}
