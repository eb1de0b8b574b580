import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ProjectMembersPage } from '#components/project/settings/project-members-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQueries } from '#queries/project-settings.ts'
import { projectPosts } from '#server/console/projects.form.ts'
import { projectPageSearch } from '#server/console/projects.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/projects/$slug/members')({
  validateSearch: projectPageSearch,
  server: { handlers: { POST: projectPosts.members } },
  loader: (load) => loadPageData(load, projectPageQueries.members(load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Members of ${params.slug}`) }] }),
  component: ProjectMembersScreen,
})

function ProjectMembersScreen() {
  const { slug } = Route.useParams()
  const { done } = Route.useSearch()
  const { data } = useSuspenseQuery(projectPageQueries.members(slug))
  return <ProjectMembersPage view={data} {...(done !== undefined && { done })} />
}
