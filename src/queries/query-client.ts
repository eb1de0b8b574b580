import { dehydrate, hydrate, notifyManager, QueryClient } from '@tanstack/react-query'
import type { JsonObject } from '#protocol/json.ts'

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

/** The page data for hydration in the browser. */
export function dehydrateQueries(queryClient: QueryClient): JsonObject {
  // The library types its data as unknown; what the loaders put there are views, which are plain JSON.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return dehydrate(queryClient) as unknown as JsonObject
}

/** Restores the data of a page that the server rendered. */
export function hydrateQueries(queryClient: QueryClient, state: JsonObject): void {
  hydrate(queryClient, state)
}
