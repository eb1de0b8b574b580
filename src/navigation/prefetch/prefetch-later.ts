import type { AnyRouter } from '@tanstack/react-router'
import type { NavigationWatch } from '#navigation/navigation-watch.ts'

/**
 * Starts loading pages ahead once its code is there, which comes after the page: it is in nobody's way. Where
 * it does not come, pages load when their links are clicked. Only in the browser. Returns the function that
 * ends it.
 */
export function prefetchLater(router: AnyRouter, watch: NavigationWatch): () => void {
  const ended = new AbortController()
  async function start(): Promise<void> {
    const { startPrefetching } = await import('./start-prefetching.ts')
    if (!ended.signal.aborted) ended.signal.addEventListener('abort', startPrefetching(router, watch))
  }
  void start().catch(() => {})
  return () => ended.abort()
}
