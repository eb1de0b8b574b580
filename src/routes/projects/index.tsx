import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ProjectList } from '#components/project/project-list.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectListQuery } from '#queries/projects.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'
import { projectListSearch } from '#server/console/projects/projects.search.ts'

export const Route = createFileRoute('/projects/')({
  validateSearch: projectListSearch,
  loaderDeps: ({ search: { period } }) => ({ period }),
  loader: (load) => loadPageData(load, projectListQuery(load.deps.period)),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Projects') }] }),
  component: ProjectsScreen,
})

function ProjectsScreen() {
  const { period } = Route.useSearch()
  const { data } = useSuspenseQuery(projectListQuery(period))
  return <ProjectList view={data} />
}
