import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import type { LiveMarks } from '#navigation/live-channel.ts'
import { refreshData } from '#queries/changes/changed-data.ts'
import { useLoadedEffect } from './use-loaded-effect.ts'

/** Calls back when issues appear or are reopened, as long as `isOn`. The code is loaded after the page. */
function useLiveMarks(onMarks: (marks: LiveMarks) => void, isOn = true): void {
  const listener = useRef(onMarks)
  useEffect(() => {
    listener.current = onMarks
  })
  useLoadedEffect(
    useCallback(async () => {
      if (!isOn) return () => () => {}
      const { openLiveChannel } = await import('#navigation/live-channel.ts')
      return () => openLiveChannel((marks) => listener.current(marks))
    }, [isOn]),
  )
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
