import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ProjectMembersPage } from '#components/project/settings/project-members-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQuery } from '#queries/project-settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/projects/$slug/members')({
  loader: (load) => loadPageData(load, projectPageQuery('members', load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Members of ${params.slug}`) }] }),
  component: ProjectMembersScreen,
})

function ProjectMembersScreen() {
  const { slug } = Route.useParams()
  const { data } = useSuspenseQuery(projectPageQuery('members', slug))
  return <ProjectMembersPage view={data} />
}
