import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchGuide } from '#server/console/guides/guides.functions.ts'

/** A page of the documentation, or its index: changes only with the version. */
export function guideQuery(name?: string) {
  return queryOptions({
    queryKey: ['guides', name ?? ''],
    queryFn: ({ signal }) => fetchGuide({ data: { name }, signal }),
    ...queryTimes('settled'),
  })
}
