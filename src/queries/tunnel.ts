import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchTunnel } from '#server/console/tunnel/tunnel.functions.ts'

/** The upstreams: a live page. */
export function tunnelQuery() {
  return queryOptions({
    queryKey: ['tunnel'],
    queryFn: ({ signal }) => fetchTunnel({ signal }),
    ...queryTimes('live'),
  })
}
