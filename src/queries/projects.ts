import { fetchProjectList } from '#server/console/projects/projects.functions.ts'
import type { ProjectPeriod } from '#server/console/projects/views.ts'
import { pageQuery } from './page-query.ts'

/** Every project with its DSN and received items: live. */
export function projectListQuery(period: ProjectPeriod = '24h') {
  return pageQuery('live', ['projects', 'list', period], ({ signal }) =>
    fetchProjectList({ data: { period }, signal }),
  )
}
