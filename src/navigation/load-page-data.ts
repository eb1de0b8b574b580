import type { QueryClient, QueryExecuteOptions, QueryKey } from '@tanstack/react-query'
import { isNotFound, isRedirect, redirect } from '@tanstack/react-router'
import { appConfig } from '../../app.config.ts'
import type { LoadClock } from './load-clock.ts'
import { withLoadLimit } from './load-limit.ts'
import { showsOwnChange } from './own-changes.ts'
import { noteSpeculation } from './prefetch/speculation.ts'

/** TanStack Router's loader context. */
export interface PageLoad {
  /** True for a prefetch. */
  preload: boolean
  context: { queryClient: QueryClient; loadClock: LoadClock }
  location: { href: string }
  /** Fires when neither a navigation nor a prefetch waits for the page any more. */
  abortController: AbortController
}

/**
 * Loads the data of a page: from the cache while it is fresh, otherwise with one request, for at most
 * `routeLoadTimeoutMs`. At the time limit, or when neither a navigation nor a prefetch waits any more, the
 * request is aborted.
 *
 * Throws `LoadTimeoutError` at the time limit, and an Error for any other failure.
 */
export async function loadPageData<TData, TKey extends QueryKey>(
  { preload, context, location, abortController }: PageLoad,
  query: QueryExecuteOptions<TData, Error, TData, TData, TKey>,
): Promise<TData> {
  const { queryClient, loadClock } = context
  const navigationStartedAt = () => loadClock.navigationStartedAt(location.href)
  const isWanted = () => navigationStartedAt() !== undefined
  async function load(signal: AbortSignal): Promise<TData> {
    if (import.meta.env.SSR) return readForPage(queryClient, query, signal)
    const cancel = () => void queryClient.cancelQueries({ queryKey: query.queryKey, exact: true })
    signal.addEventListener('abort', cancel, { once: true })
    if (preload) return queryClient.query(toSpeculation(query, isWanted))
    const { queryKey } = query
    const { data, isInvalidated } = queryClient.getQueryState<TData>(queryKey) ?? {}
    if (data === undefined || isInvalidated !== true || !showsOwnChange(data)) return queryClient.query(query)
    // It is shown meanwhile: going back to a list after resolving an issue is not delayed.
    void queryClient.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false })
    return data
  }
  try {
    return await withLoadLimit(load, {
      limitMs: appConfig.routeLoadTimeoutMs,
      now: loadClock.now,
      navigationStartedAt,
      signal: abortController.signal,
    })
  } catch (thrown) {
    throw toSignIn(thrown, location.href) ?? toError(thrown)
  }
}

/**
 * On the server each page has its own empty cache, and no other code waits for its queries. They run without
 * the cache, because it passes a context with a getter to a query, and V8 keeps the getter's closure, and
 * with it the whole page, until a full collection.
 */
async function readForPage<TData, TKey extends QueryKey>(
  client: QueryClient,
  query: QueryExecuteOptions<TData, Error, TData, TData, TKey>,
  signal: AbortSignal,
): Promise<TData> {
  const { queryFn, queryKey, meta } = query
  if (typeof queryFn !== 'function') return client.query(query)
  const data = client.getQueryData<TData>(queryKey) ?? (await queryFn({ client, queryKey, meta, signal }))
  client.setQueryData<TData>(queryKey, data)
  return data
}

/** A server function that requires a session redirects to the sign-in page, which has to return here. */
function toSignIn(thrown: unknown, href: string): unknown {
  if (!isRedirect(thrown) || thrown.options.href !== '/login') return undefined
  return redirect({ href: `/login?to=${encodeURIComponent(href)}` })
}

/** The same query, with its request marked as a prefetch. */
function toSpeculation<TData, TKey extends QueryKey>(
  query: QueryExecuteOptions<TData, Error, TData, TData, TKey>,
  isWanted: () => boolean,
): typeof query {
  const { queryFn } = query
  if (typeof queryFn !== 'function') return query
  return {
    ...query,
    queryFn: (context) => {
      noteSpeculation(context.signal, isWanted)
      return queryFn(context)
    },
  }
}

/** The thrown value as an Error, unless it is for the router: a string would be sent to the browser. */
function toError(thrown: unknown): unknown {
  if (thrown instanceof Error || thrown instanceof Response || isNotFound(thrown)) return thrown
  return new Error(`A read threw a value that is not an Error: ${String(thrown)}`, { cause: thrown })
}
