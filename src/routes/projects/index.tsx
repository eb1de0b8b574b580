import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ProjectList } from '#components/project/project-list.tsx'
import { projectListQuery } from '#queries/projects.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'
import { projectListSearch } from '#server/console/projects/projects.search.ts'

export const Route = createFileRoute('/projects/')({
  validateSearch: projectListSearch,
  loaderDeps: ({ search }) => search,
  ...pageRoute('Projects', projectListQuery),
  component: ProjectsScreen,
})

function ProjectsScreen() {
  const { data } = useSuspenseQuery(projectListQuery(Route.useSearch()))
  return <ProjectList view={data} />
}
