import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'

interface Request {
  signal: AbortSignal
}

/** The query of a live page's data, which a server function returns. */
export function pageQuery<View>(queryKey: QueryKey, load: (request: Request) => Promise<View>) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => load({ signal }), ...queryTimes('live') })
}

/** The same for a server function with an input, which ends the key. */
export function pageQueryFor<View, Input>(
  subject: readonly string[],
  load: (request: Request & { data: Input }) => Promise<View>,
  data: Input,
) {
  return pageQuery([...subject, data], ({ signal }) => load({ data, signal }))
}
