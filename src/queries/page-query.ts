import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { queryTimes, type PageKind } from '#navigation/page-kind.ts'

/** The query of a page's data, with the cache times of its kind. */
export function pageQuery<Data>(
  kind: PageKind,
  queryKey: QueryKey,
  load: (request: { signal: AbortSignal }) => Promise<Data>,
) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => load({ signal }), ...queryTimes(kind) })
}
