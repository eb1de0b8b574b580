import type { QueryClient } from '@tanstack/react-query'
import { pageDataServer } from '#navigation/page-data-server.ts'
import { isHidden, whenShownAgain } from '#navigation/page-visibility.ts'
import { noteSpeculation } from '#navigation/prefetch/speculation.ts'
import { fetchIssueProgress } from '#server/console/issues/issue-progress.functions.ts'
import { appConfig } from '../../../app.config.ts'
import { issueQuery } from './list.ts'

/**
 * Keeps the counts, the trend and the position of the event on an open issue page up to date, and nothing
 * else: what the reader is reading stays. The live stream does not report events of existing issues, so the
 * page reads them at an interval while it is visible. Only in the browser. Returns the stop function.
 */
export function followIssue(queryClient: QueryClient, issueId: string): () => void {
  const ended = new AbortController()
  const { signal } = ended
  const { queryKey } = issueQuery(issueId)
  // For the server, the requests come after those for which a user waits.
  noteSpeculation(signal, () => false)

  async function read(): Promise<void> {
    const before = queryClient.getQueryState(queryKey)
    if (before?.data === undefined || before.fetchStatus !== 'idle' || before.isInvalidated) return
    const { eventId } = before.data.event
    const { now, counts, trend, position } = await fetchIssueProgress({ data: { issueId, eventId }, signal })
    const state = queryClient.getQueryState(queryKey)
    // Data that was read or changed meanwhile is newer.
    if (state === undefined || state.data !== before.data || state.fetchStatus !== 'idle') return
    queryClient.setQueryData(
      queryKey,
      (view) =>
        view && {
          ...view,
          now,
          issue: { ...view.issue, ...counts },
          trend,
          position: position ?? view.position,
        },
      // The rest of the page becomes outdated when it would have.
      { updatedAt: state.dataUpdatedAt },
    )
  }

  function readUnlessHidden(): void {
    // After a failure the counts stay as they are until the next read.
    if (!isHidden() && pageDataServer.pauseMs() === 0) void read().catch(() => {})
  }

  const timer = setInterval(readUnlessHidden, appConfig.liveIssueMs)
  const stopFollowing = whenShownAgain((wasHiddenMs) => {
    if (wasHiddenMs >= appConfig.liveIssueMs) readUnlessHidden()
  })
  return () => {
    clearInterval(timer)
    stopFollowing()
    ended.abort()
  }
}
