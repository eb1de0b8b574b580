import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { runAction } from './changes/action.ts'
import { inboxAction } from './inbox-action.ts'
import { shellQuery } from './shell.ts'

/**
 * Marks the viewer's items about an issue as read once its page is shown: a page that is only prefetched was
 * not read. Sends nothing for an issue without unread items.
 */
export function useIssueRead(issueId: string): void {
  const queryClient = useQueryClient()
  const router = useRouter()
  const { data: shell } = useSuspenseQuery(shellQuery())
  const hasUnread = shell.viewer?.unreadIssueIds.includes(issueId) === true
  useEffect(() => {
    if (!hasUnread) return
    const form = new FormData()
    form.append('action', 'mark')
    form.append('issue', issueId)
    // After a failure the bell still shows the item as unread.
    void runAction(inboxAction, form, { queryClient, router })
  }, [hasUnread, issueId, queryClient, router])
}
