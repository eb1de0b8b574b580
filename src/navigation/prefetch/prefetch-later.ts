import type { AnyRouter } from '@tanstack/react-router'
import type { NavigationWatch } from '#navigation/navigation-watch.ts'

/**
 * Starts prefetching once its code has loaded, after the page, so that it does not delay the page. If the
 * code fails to load, pages load when their links are clicked. Only in the browser. Returns the stop
 * function.
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
