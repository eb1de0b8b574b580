import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { LiveMarks } from '#navigation/live-channel.ts'
import { refreshData } from '#queries/changes/changed-data.ts'

/** Calls back when issues appear or are reopened, as long as `isOn`. The code for it loads after the page. */
function useLiveMarks(onMarks: (marks: LiveMarks) => void, isOn = true): void {
  const listener = useRef(onMarks)
  useEffect(() => {
    listener.current = onMarks
  })
  useEffect(() => {
    if (!isOn) return undefined
    const ended = new AbortController()
    async function open(): Promise<void> {
      const { openLiveChannel } = await import('#navigation/live-channel.ts')
      if (ended.signal.aborted) return
      ended.signal.addEventListener(
        'abort',
        openLiveChannel((marks) => listener.current(marks)),
      )
    }
    // Without it the page is up to date when it is loaded again.
    void open().catch(() => {})
    return () => ended.abort()
  }, [isOn])
}

/** While a project waits for its first event, reads the set-up page again as soon as there is one. */
export function useFirstEvent({ id, slug }: { id: number; slug: string }, isWaiting: boolean): void {
  const queryClient = useQueryClient()
  const router = useRouter()
  useLiveMarks((marks) => {
    if ((marks[id]?.lastNumber ?? 0) === 0) return
    void refreshData({ queryClient, router }, [{ queryKey: ['projects', 'page', slug, 'setup'] }])
  }, isWaiting)
}
