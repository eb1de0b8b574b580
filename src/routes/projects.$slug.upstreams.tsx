import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { UpstreamsPage } from '#components/project/settings/upstreams-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQueries } from '#queries/project-settings.ts'
import { projectPosts } from '#server/console/projects.form.ts'
import { projectPageSearch } from '#server/console/projects.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/projects/$slug/upstreams')({
  validateSearch: projectPageSearch,
  server: { handlers: { POST: projectPosts.upstreams } },
  loader: (load) => loadPageData(load, projectPageQueries.upstreams(load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Upstreams of ${params.slug}`) }] }),
  component: UpstreamsScreen,
})

function UpstreamsScreen() {
  const { slug } = Route.useParams()
  const { done } = Route.useSearch()
  const { data } = useSuspenseQuery(projectPageQueries.upstreams(slug))
  return <UpstreamsPage view={data} {...(done !== undefined && { done })} />
}
