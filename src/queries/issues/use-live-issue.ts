import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { IssueEventsSearch } from '#server/console/issues/issue-events.search.ts'
import type { IssueRemoval } from '#server/console/issues/views.ts'
import { issueEventsQuery } from './events.ts'
import type { LiveScreen } from './live-issue.ts'
import type * as livePages from './live-issue.ts'
import { useLoadedEffect } from './use-loaded-effect.ts'

type LivePages = typeof livePages

/**
 * Keeps an issue page up to date while it is shown. Returns the removal of the issue, if it was removed
 * meanwhile. The code of all these hooks is loaded after the page.
 */
export function useLiveIssue(issueId: string): IssueRemoval | undefined {
  return useLivePage(useCallback((live, screen) => live.followIssue(screen, issueId), [issueId]))
}

/** Keeps the issue of an event's page up to date while it is shown. */
export function useLiveEvent(eventId: string): IssueRemoval | undefined {
  return useLivePage(useCallback((live, screen) => live.followEvent(screen, eventId), [eventId]))
}

/** Keeps the tags of an issue up to date while they are shown. */
export function useLiveTags(issueId: string, key: string | undefined): IssueRemoval | undefined {
  return useLivePage(useCallback((live, screen) => live.followTags(screen, issueId, { key }), [issueId, key]))
}

/** Counts the new events of an issue while the list of its events is shown. `showPending` shows them. */
export function useLiveEvents(
  issueId: string,
  search: IssueEventsSearch,
): { removal: IssueRemoval | undefined; showPending: () => Promise<void> } {
  const queryClient = useQueryClient()
  const { queryKey } = issueEventsQuery(issueId, search)
  const removal = useLivePage(
    useCallback((live, screen) => live.followEvents(screen, issueId, search), [issueId, search]),
  )
  const showPending = async () => {
    // After a page of new events the list is not read any more, so that page may be old.
    if (queryClient.getQueryData(queryKey)?.pending?.isMore === true)
      await queryClient.refetchQueries({ queryKey, exact: true })
    queryClient.setQueryData(queryKey, (view) => view?.pending?.latest ?? view)
  }
  return { removal, showPending }
}

/** Follows a page. Returns the removal of its issue, as long as the same page is followed. */
function useLivePage(follow: (live: LivePages, screen: LiveScreen) => () => void): IssueRemoval | undefined {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [removed, setRemoved] = useState<{ page: typeof follow; removal: IssueRemoval }>()
  useLoadedEffect(
    useCallback(async () => {
      const live = await import('./live-issue.ts')
      const showRemoval = (removal: IssueRemoval | undefined) =>
        setRemoved(removal && { page: follow, removal })
      return () => follow(live, { queryClient, router, showRemoval })
    }, [follow, queryClient, router]),
  )
  return removed?.page === follow ? removed.removal : undefined
}
