import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { IssueEventsSearch } from '#server/console/issues/issue-events.search.ts'
import type { IssueEnd } from '#server/console/issues/views.ts'
import { issueEventsQuery } from './events.ts'
import type { LiveScreen } from './live-issue.ts'
import type * as livePages from './live-issue.ts'
import { useLoadedEffect } from './use-loaded-effect.ts'

type LivePages = typeof livePages

/**
 * Keeps an issue page up to date while it is shown. Returns the end of the issue, if it ended meanwhile. The
 * code of all these hooks is loaded after the page.
 */
export function useLiveIssue(issueId: string): IssueEnd | undefined {
  return useLivePage(useCallback((live, screen) => live.followIssue(screen, issueId), [issueId]))
}

/** Keeps the issue of an event's page up to date while it is shown. */
export function useLiveEvent(eventId: string): IssueEnd | undefined {
  return useLivePage(useCallback((live, screen) => live.followEvent(screen, eventId), [eventId]))
}

/** Keeps the tags of an issue up to date while they are shown. */
export function useLiveTags(issueId: string, key: string | undefined): IssueEnd | undefined {
  return useLivePage(useCallback((live, screen) => live.followTags(screen, issueId, { key }), [issueId, key]))
}

/** Counts the new events of an issue while the list of its events is shown. `showPending` shows them. */
export function useLiveEvents(
  issueId: string,
  search: IssueEventsSearch,
): { end: IssueEnd | undefined; showPending: () => Promise<void> } {
  const queryClient = useQueryClient()
  const { queryKey } = issueEventsQuery(issueId, search)
  const end = useLivePage(
    useCallback((live, screen) => live.followEvents(screen, issueId, search), [issueId, search]),
  )
  const showPending = async () => {
    // After a page of new events the list is not read any more, so that page may be old.
    if (queryClient.getQueryData(queryKey)?.pending?.isMore === true)
      await queryClient.refetchQueries({ queryKey, exact: true })
    queryClient.setQueryData(queryKey, (view) => view?.pending?.latest ?? view)
  }
  return { end, showPending }
}

/** Follows a page. Returns the end of its issue, as long as the same page is followed. */
function useLivePage(follow: (live: LivePages, screen: LiveScreen) => () => void): IssueEnd | undefined {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [ended, setEnded] = useState<{ page: typeof follow; end: IssueEnd }>()
  useLoadedEffect(
    useCallback(async () => {
      const live = await import('./live-issue.ts')
      const showEnd = (end: IssueEnd | undefined) => setEnded(end && { page: follow, end })
      return () => follow(live, { queryClient, router, showEnd })
    }, [follow, queryClient, router]),
  )
  return ended?.page === follow ? ended.end : undefined
}
