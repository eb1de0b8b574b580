import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { lazy, useCallback } from 'react'
import type { IssueListActions } from '#components/issue/issue-list.tsx'
import { IssueStream } from '#components/issue/issue-stream.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { issueAssigneeMutation } from '#queries/issue-assignee.ts'
import { issueMergeMutation, issuesDeleteMutation } from '#queries/issue-merge.ts'
import { issueStatusMutation } from '#queries/issue-status.ts'
import { issueListQuery, tagValuesQuery } from '#queries/issues.ts'
import { useLiveList } from '#queries/live-issues.ts'
import { useMutationForm } from '#queries/mutation-form.ts'
import { savedSearchMutation } from '#queries/saved-search.ts'
import { findDirectTarget } from '#search/direct-target.ts'
import { issueListSearch } from '#server/console/issues.search.ts'
import { pageTitle } from './-page-title.ts'

const HeldIssuesNotice = lazy(async () => ({
  default: (await import('./-held-issues.tsx')).HeldIssuesNotice,
}))

export const Route = createFileRoute('/issues/')({
  validateSearch: issueListSearch,
  beforeLoad: ({ search }) => goToNamedThing(search.q ?? ''),
  loaderDeps: ({ search }) => search,
  loader: async (load) => {
    const { hit, redirectSearch } = await loadPageData(load, issueListQuery(load.deps))
    if (hit) throw redirect({ to: '/issues/$issueId', params: hit, replace: true })
    if (redirectSearch) {
      const search = { ...redirectSearch, status: redirectSearch.status ?? 'unresolved' }
      throw redirect({ to: '/issues', search, replace: true })
    }
  },
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Issues') }] }),
  component: IssuesScreen,
})

/** Whoever searches for an id, a digest or an address of the console wants to be there. */
function goToNamedThing(text: string): void {
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
      // Whether there is such an issue only the server knows.
      break
  }
}

function IssuesScreen() {
  const search = Route.useSearch()
  const queryClient = useQueryClient()
  const { data } = useSuspenseQuery(issueListQuery(search))
  const { showHeld, isUnsure } = useLiveList(search, data, { isHydrated: useHydrated() })
  const { held } = data
  const actions = useListActions(data.mayDelete)
  const findValues = useCallback(
    (key: string, begin: string) => queryClient.query(tagValuesQuery(key, begin)),
    [queryClient],
  )
  const savedSearchAction = useMutationForm(savedSearchMutation)
  return (
    <IssueStream
      view={data}
      news={held && <HeldIssuesNotice held={held} showHeld={showHeld} />}
      isUnsure={isUnsure}
      search={search}
      actions={actions}
      findValues={findValues}
      savedSearchAction={savedSearchAction}
    />
  )
}

function useListActions(mayDelete: boolean): IssueListActions {
  const deletion = useMutationForm(issuesDeleteMutation)
  return {
    row: {
      status: useMutationForm(issueStatusMutation),
      assignee: useMutationForm(issueAssigneeMutation),
    },
    bulk: {
      status: useMutationForm(issueStatusMutation),
      assignee: useMutationForm(issueAssigneeMutation),
      merge: useMutationForm(issueMergeMutation),
      ...(mayDelete && { delete: deletion }),
    },
  }
}
