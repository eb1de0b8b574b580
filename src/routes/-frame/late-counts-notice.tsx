import { hashKey, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect } from 'react'
import { LateCounts } from '#components/issue/late-counts.tsx'
import { appConfig } from '../../../app.config.ts'

/** Reports how late the counts of a page are. While it is visible, the page reads its data again. */
export function LateCountsNotice({ delayMs, queryKey }: { delayMs: number; queryKey: QueryKey }) {
  const queryClient = useQueryClient()
  const queryHash = hashKey(queryKey)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return
      void queryClient.invalidateQueries({ predicate: (query) => query.queryHash === queryHash })
    }, appConfig.lateCountsReloadMs)
    return () => clearInterval(timer)
  }, [queryHash, queryClient])
  return <LateCounts delayMs={delayMs} />
}
