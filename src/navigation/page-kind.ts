import { appConfig } from '../../app.config.ts'

/**
 * Determines how long a page's data is fresh: `live` for streams, counts and lists, `settled` for data that
 * users change.
 */
export type PageKind = keyof typeof appConfig.pageKinds

/** Cache times of a route, in milliseconds, in TanStack Router's option names. */
export interface RouteTimes {
  staleTime: number
  preloadStaleTime: number
  gcTime: number
  preloadGcTime: number
}

/** Cache times of a query, in milliseconds, in TanStack Query's option names. */
export interface QueryTimes {
  staleTime: number
  gcTime: number
}

/**
 * The times of a route by its kind. Preloaded and loaded data have the same lifetime, so data keeps its kind
 * when a preload becomes a page. It is removed shortly after it became stale, never before.
 */
export function routeTimes(kind: PageKind): RouteTimes {
  const { staleTime, gcTime } = queryTimes(kind)
  return { staleTime, preloadStaleTime: staleTime, gcTime, preloadGcTime: gcTime }
}

/**
 * The times of the query behind a page of that kind. On the server there is no timer, because a query ends
 * with its request; a timer would keep the data, and at shutdown the process, for minutes.
 */
export function queryTimes(kind: PageKind): QueryTimes {
  const staleTime = appConfig.pageKinds[kind].freshMs
  return { staleTime, gcTime: import.meta.env.SSR ? Number.POSITIVE_INFINITY : staleTime * 2 }
}
