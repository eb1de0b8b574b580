import { notifyManager, QueryClient } from '@tanstack/react-query'

/**
 * Creates the cache of page data. Only a route's loader fetches: a component never starts a request, neither
 * when it mounts nor when the window regains focus.
 */
export function createQueryClient(): QueryClient {
  // An optimistic update must be rendered before the next key or click is handled.
  notifyManager.setScheduler(queueMicrotask)
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnMount: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // Offline, a read fails immediately instead of waiting for the network until the time limit.
        networkMode: 'always',
      },
    },
  })
}
