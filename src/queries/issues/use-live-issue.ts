import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Keeps the counts of an issue fresh while its page is shown. The code is loaded after the page. */
export function useLiveIssue(issueId: string): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const ended = new AbortController()
    async function follow(): Promise<void> {
      const { followIssue } = await import('./live-issue.ts')
      if (!ended.signal.aborted) ended.signal.addEventListener('abort', followIssue(queryClient, issueId))
    }
    // If the code fails to load, the counts are up to date after a reload.
    void follow().catch(() => {})
    return () => ended.abort()
  }, [issueId, queryClient])
}
