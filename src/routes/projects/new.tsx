import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { NewProject } from '#components/project/new-project.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { newProjectQuery } from '#queries/project-settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/projects/new')({
  loader: (load) => loadPageData(load, newProjectQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('New project') }] }),
  component: NewProjectScreen,
})

function NewProjectScreen() {
  const { data } = useSuspenseQuery(newProjectQuery())
  return <NewProject view={data} />
}
