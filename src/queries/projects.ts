import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchProjectList } from '#server/console/projects.functions.ts'

/** Every project with its DSN and what came in: live. */
export function projectListQuery() {
  return queryOptions({
    queryKey: ['projects', 'list'],
    queryFn: ({ signal }) => fetchProjectList({ signal }),
    ...queryTimes('live'),
  })
}
