import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { IssueSearch } from '#server/console/issues/views.ts'
import { issueListQuery } from './list.ts'
import type { ShownIssueList } from './pending-issues.ts'
import { useLoadedEffect } from './use-loaded-effect.ts'

/** The maximum age of a list that shows "No events yet". */
const emptyMs = 1_000

/** The interface of a stream that follows the server. */
export interface LiveList {
  /** Shows the withheld issues. */
  showPending: () => void
  /** "No events yet" may be outdated, also on a page that the server has just rendered. */
  isUnsure: boolean
}

/** Keeps the list of a search fresh while it is shown. The code is loaded after the page. */
export function useLiveList(search: IssueSearch, data: ShownIssueList): LiveList {
  const queryClient = useQueryClient()
  const { queryKey } = issueListQuery(search)
  const [mountedAt] = useState(() => Date.now())
  const updatedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? mountedAt
  // An earlier page: prefetched, or opened by going back.
  const isUnsure = data.isEmptyInstallation && updatedAt < mountedAt - emptyMs
  useEffect(() => {
    if (isUnsure)
      void queryClient.invalidateQueries({ queryKey: issueListQuery(search).queryKey, exact: true })
  }, [isUnsure, queryClient, search])
  useLoadedEffect(
    useCallback(async () => {
      const { followList } = await import('./live-list.ts')
      return () => followList(queryClient, search)
    }, [queryClient, search]),
  )
  return {
    isUnsure,
    showPending: () => queryClient.setQueryData(queryKey, (view) => view?.pending?.latest ?? view),
  }
}
