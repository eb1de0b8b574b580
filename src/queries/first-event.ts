import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { refreshData } from './changed-data.ts'

/**
 * While a project waits for its first event, lets the server tell of it (server-sent events) and then reads the page anew.
 * The browser connects again by itself when the connection ends.
 */
export function useFirstEvent(slug: string, isWaiting: boolean): void {
  const queryClient = useQueryClient()
  const router = useRouter()
  useEffect(() => {
    if (!isWaiting) return undefined
    const events = new EventSource(`/projects/${encodeURIComponent(slug)}/first-event`)
    events.addEventListener('first-event', () => {
      events.close()
      void refreshData({ queryClient, router }, [{ queryKey: ['projects', 'page', slug, 'setup'] }])
    })
    return () => events.close()
  }, [slug, isWaiting, queryClient, router])
}
