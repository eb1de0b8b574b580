import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { getRequest } from '@tanstack/react-start/server'

/** True while the answer to a posted form is rendered: its page says what came of the form. */
export const isPostedDocument = createIsomorphicFn()
  .server(() => getRequest().method === 'POST')
  .client(() => false)

/**
 * Forgets the page data that a document brought along, as soon as another page is shown. What came of a form is said, and a
 * token shown, once: whoever comes back to the page finds it as it is. Only in the browser.
 */
export function forgetWhenLeft(router: AnyRouter, queryClient: QueryClient): void {
  const cache = queryClient.getQueryCache()
  const brought = cache.getAll()
  const stop = router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return
    stop()
    for (const query of brought) cache.remove(query)
    router.clearCache({ filter: ({ pathname }) => pathname === fromLocation.pathname })
  })
}
