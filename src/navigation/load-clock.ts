import { createIsomorphicFn } from '@tanstack/react-start'
import { appConfig } from '../../app.config.ts'
import { createNavigationWatch, type NavigationWatch } from './navigation-watch.ts'

/** The start time of the load for which the user waits. */
export interface LoadClock {
  now: () => number
  /** When the navigation to that URL began; undefined if there is none (the load is a prefetch). */
  navigationStartedAt: (href: string) => number | undefined
}

/** The browser's navigation watch; undefined on the server, where rendering a page is one navigation. */
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
