import type { AnyRouter } from '@tanstack/react-router'
import type { NavigationWatch } from '#navigation/navigation-watch.ts'
import { pageDataServer } from '#navigation/page-data-server.ts'
import { appConfig } from '../../../app.config.ts'
import { startLinkPrefetching } from './link-prefetching.ts'
import { createPrefetchQueue } from './prefetch-queue.ts'

/**
 * Prefetches the pages of links, code and data together: at most `prefetch.maxInFlight` at the same time,
 * none while a navigation is loading, and none for a time after several consecutive server failures. Only in
 * the browser. Returns the stop function.
 */
export function startPrefetching(router: AnyRouter, watch: NavigationWatch): () => void {
  const { maxInFlight, intentDelayMs, viewportMarginPx } = appConfig.prefetch
  const queue = createPrefetchQueue({
    maxInFlight: () => pageDataServer.limitAhead(maxInFlight),
    isNavigating: () => watch.isNavigating(),
    load: async (href) => {
      await preload(router, new URL(href, location.origin))
      pumpAfterPause()
    },
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  /** A pause can be extended, and a timer can fire a little early. */
  function pumpAfterPause(): void {
    clearTimeout(timer)
    const pauseMs = pageDataServer.pauseMs()
    if (pauseMs > 0) timer = setTimeout(pumpAfterPause, pauseMs)
    else queue.pump()
  }
  const stopPumping = router.subscribe('onResolved', () => queue.pump())
  const stopWatching = startLinkPrefetching({
    queue,
    isPage: (url) => isScreen(router, url.pathname),
    intentDelayMs,
    viewportMarginPx,
  })
  return () => {
    clearTimeout(timer)
    stopPumping()
    stopWatching()
  }
}

/** Server routes (ingest, health) have the same origin, but are not pages. */
function isScreen(router: AnyRouter, pathname: string): boolean {
  const [, , found] = router.getMatchedRoutes(pathname)
  return found?.options.component !== undefined
}

function preload(router: AnyRouter, url: URL): Promise<unknown> {
  return router.preloadRoute({ to: url.pathname, search: router.options.parseSearch(url.search) })
}
