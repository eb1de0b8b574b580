import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dehydrateQueries, hydrateQueries } from '#queries/page-data.ts'
import { createQueryClient } from '#queries/query-client.ts'
import { appConfig } from '../app.config.ts'
import { restoreAfterHydration } from './framework/first-scroll.ts'
import { holdUntilHydrated } from './framework/hydration-gate.tsx'
import { createRequestClock, findNavigationWatch } from './navigation/load-clock.ts'
import { routeTimes } from './navigation/page-kind.ts'
import { requestNonce } from './navigation/request-nonce.ts'
import { formatSearchParams, parseSearchParams } from './navigation/search-params.ts'
import { FailureScreen } from './routes/-frame/failure-screen.tsx'
import { NotFoundScreen } from './routes/-frame/not-found-screen.tsx'
// The generated tree declares the type of this router.
// oxlint-disable-next-line import/no-cycle
import { routeTree } from './routeTree.gen.ts'

/**
 * Creates the router: once per request on the server, once in the browser.
 *
 * Page data is in the query client and is sent to the browser with the router's own hydration data. Loaders
 * complete it before rendering begins, so the streaming integration (4 kB of script in every page) is not
 * used.
 */
export function getRouter() {
  const queryClient = createQueryClient()
  const nonce = requestNonce()
  const navigationWatch = findNavigationWatch()
  const loadClock = navigationWatch ?? createRequestClock(Date.now)
  const times = routeTimes('live')
  const router = createRouter({
    routeTree,
    context: { queryClient, loadClock, navigationWatch },
    scrollRestoration: restoreAfterHydration(),
    parseSearch: parseSearchParams,
    stringifySearch: formatSearchParams,
    // Links are prefetched by navigation/prefetch/start-prefetching.ts, which has a limit and an order.
    defaultPreload: false,
    defaultPendingMs: appConfig.pendingMs,
    // Pages are live unless their route has other times.
    defaultStaleTime: times.staleTime,
    defaultPreloadStaleTime: times.preloadStaleTime,
    defaultGcTime: times.gcTime,
    defaultPreloadGcTime: times.preloadGcTime,
    defaultErrorComponent: FailureScreen,
    // The router's boundary has a button that shows the error; ours surrounds the document (client.tsx).
    disableGlobalCatchBoundary: true,
    defaultNotFoundComponent: NotFoundScreen,
    dehydrate: () => ({ queries: dehydrateQueries(queryClient) }),
    hydrate: ({ queries }) => hydrateQueries(queryClient, queries),
    Wrap: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    ),
    ...(nonce === undefined ? {} : { ssr: { nonce } }),
  })
  navigationWatch?.follow(router)
  if (navigationWatch !== undefined) holdUntilHydrated(router.history)
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof getRouter>
  }
}
