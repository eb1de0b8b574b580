import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ProjectList } from '#components/project/project-list.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectListQuery } from '#queries/projects.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/projects/')({
  loader: (load) => loadPageData(load, projectListQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Projects') }] }),
  component: ProjectsScreen,
})

function ProjectsScreen() {
  const { data } = useSuspenseQuery(projectListQuery())
  return <ProjectList view={data} />
}
