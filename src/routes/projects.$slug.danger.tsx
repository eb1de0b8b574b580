import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DangerPage } from '#components/project/settings/danger-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQueries } from '#queries/project-settings.ts'
import { projectPosts } from '#server/console/projects.form.ts'
import { projectPageSearch } from '#server/console/projects.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/projects/$slug/danger')({
  validateSearch: projectPageSearch,
  server: { handlers: { POST: projectPosts.danger } },
  loader: (load) => loadPageData(load, projectPageQueries.general(load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Danger zone of ${params.slug}`) }] }),
  component: DangerScreen,
})

function DangerScreen() {
  const { slug } = Route.useParams()
  const { done } = Route.useSearch()
  const { data } = useSuspenseQuery(projectPageQueries.general(slug))
  return <DangerPage view={data} {...(done !== undefined && { done })} />
}
