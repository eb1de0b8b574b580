import { createIsomorphicFn } from '@tanstack/react-start'
import { appConfig } from '../../app.config.ts'
import { createNavigationWatch, type NavigationWatch } from './navigation-watch.ts'

/** The start time of the load that the user waits for. */
export interface LoadClock {
  now: () => number
  /**
   * When the navigation to that address began; undefined while none is under way to it (its load is a
   * prefetch).
   */
  navigationStartedAt: (href: string) => number | undefined
}

/**
 * The watch over navigations; only the browser has one, since a page rendered on the server is one
 * navigation.
 */
export const findNavigationWatch = createIsomorphicFn()
  .server((): NavigationWatch | undefined => undefined)
  .client((): NavigationWatch | undefined =>
    createNavigationWatch(appConfig.routeLoadTimeoutMs, () => performance.now()),
  )

/** The clock of a page rendered on the server: the navigation is the request itself. */
export function createRequestClock(now: () => number): LoadClock {
  const startedAt = now()
  return { now, navigationStartedAt: () => startedAt }
}
