import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { PageStore } from '#queries/changes/changed-data.ts'
import type { IssueEventsSearch } from '#server/console/issues/issue-events.search.ts'
import { issueEventsQuery } from './events.ts'
import type * as livePages from './live-issue.ts'
import { useLoadedEffect } from './use-loaded-effect.ts'

type LivePages = typeof livePages

/** Keeps an issue page up to date while it is shown. The code of all these hooks is loaded after the page. */
export function useLiveIssue(issueId: string): void {
  useLivePage(useCallback((live, pages) => live.followIssue(pages, issueId), [issueId]))
}

/** Keeps the issue of an event's page up to date while it is shown. */
export function useLiveEvent(eventId: string): void {
  useLivePage(useCallback((live, pages) => live.followEvent(pages, eventId), [eventId]))
}

/** Keeps the tags of an issue up to date while they are shown. */
export function useLiveTags(issueId: string, key: string | undefined): void {
  useLivePage(useCallback((live, pages) => live.followTags(pages, issueId, { key }), [issueId, key]))
}

/**
 * Counts the new events of an issue while the list of its events is shown. Returns the function that shows
 * them.
 */
export function useLiveEvents(issueId: string, search: IssueEventsSearch): () => Promise<void> {
  const queryClient = useQueryClient()
  const { queryKey } = issueEventsQuery(issueId, search)
  useLivePage(useCallback((live, pages) => live.followEvents(pages, issueId, search), [issueId, search]))
  return async () => {
    // After a page of new events the list is not read any more, so that page may be old.
    if (queryClient.getQueryData(queryKey)?.pending?.isMore === true)
      await queryClient.refetchQueries({ queryKey, exact: true })
    queryClient.setQueryData(queryKey, (view) => view?.pending?.latest ?? view)
  }
}

function useLivePage(follow: (live: LivePages, pages: PageStore) => () => void): void {
  const queryClient = useQueryClient()
  const router = useRouter()
  useLoadedEffect(
    useCallback(async () => {
      const live = await import('./live-issue.ts')
      return () => follow(live, { queryClient, router })
    }, [follow, queryClient, router]),
  )
}
