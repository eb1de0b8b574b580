import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchProjectList } from '#server/console/projects/projects.functions.ts'
import type { ProjectPeriod } from '#server/console/projects/views.ts'

/** Every project with its DSN and received items: live. */
export function projectListQuery(period: ProjectPeriod = '24h') {
  return queryOptions({
    queryKey: ['projects', 'list', period],
    queryFn: ({ signal }) => fetchProjectList({ data: { period }, signal }),
    ...queryTimes('live'),
  })
}
