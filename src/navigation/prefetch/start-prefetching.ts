import type { AnyRouter } from '@tanstack/react-router'
import type { NavigationWatch } from '#navigation/navigation-watch.ts'
import { pageDataServer } from '#navigation/page-data-server.ts'
import { appConfig } from '../../../app.config.ts'
import { startLinkPrefetching } from './link-prefetching.ts'
import { createPrefetchQueue } from './prefetch-queue.ts'

/**
 * Loads the pages behind links ahead of the click, code and data together, at most `prefetch.maxInFlight` at
 * once, none while a navigation is loading, and none for a while after the server has failed several times in
 * a row. Only in the browser. Returns the function that ends it.
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
  /** A pause can become longer while it lasts, and a timer can go off a little early. */
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

/** A server route (ingest, health) is an address of ours too, but no page. */
function isScreen(router: AnyRouter, pathname: string): boolean {
  const [, , found] = router.getMatchedRoutes(pathname)
  return found?.options.component !== undefined
}

function preload(router: AnyRouter, url: URL): Promise<unknown> {
  return router.preloadRoute({ to: url.pathname, search: router.options.parseSearch(url.search) })
}
