import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchTunnel } from '#server/console/tunnel/tunnel.functions.ts'

/** What is sent on: a live page. */
export function tunnelQuery() {
  return queryOptions({
    queryKey: ['tunnel'],
    queryFn: ({ signal }) => fetchTunnel({ signal }),
    ...queryTimes('live'),
  })
}
