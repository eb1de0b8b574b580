import { fetchProjectList } from '#server/console/projects/projects.functions.ts'
import type { ProjectPeriod } from '#server/console/projects/views.ts'
import { pageQueryFor } from './page-query.ts'

/** Every project with its DSN and received items: live. */
export function projectListQuery(search: { period?: ProjectPeriod | undefined }) {
  return pageQueryFor(['projects', 'list'], fetchProjectList, search)
}
