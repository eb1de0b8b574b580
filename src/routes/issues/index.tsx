import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { lazy, useCallback } from 'react'
import type { IssueListActions } from '#components/issue/stream/list.tsx'
import { IssueStream } from '#components/issue/stream/stream.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { useAction } from '#queries/changes/use-action.ts'
import { issueDeletionAction, issueMergeAction, savedSearchAction } from '#queries/issues/actions.ts'
import { issueAssigneeAction } from '#queries/issues/assignee-action.ts'
import { issueListQuery, tagValuesQuery } from '#queries/issues/list.ts'
import { useLiveList } from '#queries/issues/live-issues.ts'
import { issueStatusAction } from '#queries/issues/status-action.ts'
import { pageHead } from '#routes/-frame/page-title.ts'
import { findDirectTarget } from '#search/direct-target.ts'
import { issueListSearch } from '#server/console/issues/issues.search.ts'

const PendingIssuesNotice = lazy(async () => ({
  default: (await import('#routes/-frame/pending-issues-notice.tsx')).PendingIssuesNotice,
}))

const LateCountsNotice = lazy(async () => ({
  default: (await import('#routes/-frame/late-counts-notice.tsx')).LateCountsNotice,
}))

export const Route = createFileRoute('/issues/')({
  validateSearch: issueListSearch,
  beforeLoad: ({ search }) => redirectToTarget(search.q ?? ''),
  loaderDeps: ({ search }) => search,
  loader: async (load) => {
    const { hit, redirectSearch } = await loadPageData(load, issueListQuery(load.deps))
    if (hit) throw redirect({ to: '/issues/$issueId', params: hit, replace: true })
    if (redirectSearch) {
      const search = { ...redirectSearch, status: redirectSearch.status ?? 'unresolved' }
      throw redirect({ to: '/issues', search, replace: true })
    }
  },
  head: () => pageHead('Issues'),
  component: IssuesScreen,
})

/** A search for an id, a digest or a URL of the console opens its target. */
function redirectToTarget(text: string): void {
  const target = findDirectTarget(text)
  switch (target?.kind) {
    case 'digest':
      throw redirect({ to: '/digest/$digest', params: { digest: target.digest }, replace: true })
    case 'event':
      throw redirect({ to: '/events/$eventId', params: { eventId: target.eventId }, replace: true })
    case 'issue':
      throw redirect({ to: '/issues/$issueId', params: { issueId: target.issueId }, replace: true })
    case 'shortId':
    case undefined:
      // Only the server knows if the issue exists.
      break
  }
}

function IssuesScreen() {
  const search = Route.useSearch()
  const queryClient = useQueryClient()
  const { data } = useSuspenseQuery(issueListQuery(search))
  const { showPending, isUnsure } = useLiveList(search, data)
  const { pending, countsDelayMs } = data
  const { queryKey } = issueListQuery(search)
  const late = countsDelayMs && <LateCountsNotice delayMs={countsDelayMs} queryKey={queryKey} />
  const actions = useListActions(data.canDelete)
  const findValues = useCallback(
    (key: string, begin: string) => queryClient.query(tagValuesQuery(key, begin)),
    [queryClient],
  )
  const savedSearch = useAction(savedSearchAction)
  return (
    <IssueStream
      view={data}
      pendingNotice={pending && <PendingIssuesNotice pending={pending} showPending={showPending} />}
      late={late}
      isUnsure={isUnsure}
      search={search}
      actions={actions}
      findValues={findValues}
      savedSearchAction={savedSearch}
    />
  )
}

function useListActions(canDelete: boolean): IssueListActions {
  const deletion = useAction(issueDeletionAction)
  return {
    row: {
      status: useAction(issueStatusAction),
      assignee: useAction(issueAssigneeAction),
    },
    bulk: {
      status: useAction(issueStatusAction),
      assignee: useAction(issueAssigneeAction),
      merge: useAction(issueMergeAction),
      ...(canDelete && { delete: deletion }),
    },
  }
}
