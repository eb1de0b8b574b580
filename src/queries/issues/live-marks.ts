import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { LiveMarks } from '#navigation/live-channel.ts'
import { refreshData } from '#queries/changes/changed-data.ts'

/** Calls back when issues appear or are reopened, as long as `isOn`. The code is loaded after the page. */
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
    // If the code fails to load, the page is up to date after a reload.
    void open().catch(() => {})
    return () => ended.abort()
  }, [isOn])
}

/** While a project waits for its first event, reloads the setup page when it arrives. */
export function useFirstEvent({ id, slug }: { id: number; slug: string }, isWaiting: boolean): void {
  const queryClient = useQueryClient()
  const router = useRouter()
  useLiveMarks((marks) => {
    if ((marks[id]?.lastNumber ?? 0) === 0) return
    void refreshData({ queryClient, router }, [{ queryKey: ['projects', 'page', slug, 'setup'] }])
  }, isWaiting)
}
