import type { QueryClient, QueryExecuteOptions, QueryKey } from '@tanstack/react-query'
import { appConfig } from '../../app.config.ts'
import type { LoadClock } from './load-clock.ts'
import { withLoadLimit } from './load-limit.ts'

/** What a loader passes on: TanStack Router's loader context. */
export interface PageLoad {
  context: { queryClient: QueryClient; loadClock: LoadClock }
  location: { href: string }
  /** Fires when neither a navigation nor a prefetch waits for the page any more. */
  abortController: AbortController
}

/**
 * Loads the data of a page: from the cache while it is fresh, else with one request, for at most `routeLoadTimeoutMs`.
 * When the time is up, or nobody waits any more, the request is aborted too.
 *
 * Throws `LoadTimeoutError` when the time is up.
 */
export function loadPageData<TData, TKey extends QueryKey>(
  { context, location, abortController }: PageLoad,
  query: QueryExecuteOptions<TData, Error, TData, TData, TKey>,
): Promise<TData> {
  const { queryClient, loadClock } = context
  return withLoadLimit(
    (signal) => {
      signal.addEventListener(
        'abort',
        () => void queryClient.cancelQueries({ queryKey: query.queryKey, exact: true }),
        {
          once: true,
        },
      )
      return queryClient.query(query)
    },
    {
      limitMs: appConfig.routeLoadTimeoutMs,
      now: loadClock.now,
      navigationStartedAt: () => loadClock.navigationStartedAt(location.href),
      signal: abortController.signal,
    },
  )
}
