import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { InboundPage } from '#components/project/settings/inbound-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQueries } from '#queries/project-settings.ts'
import { projectPosts } from '#server/console/projects.form.ts'
import { projectPageSearch } from '#server/console/projects.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/projects/$slug/inbound')({
  validateSearch: projectPageSearch,
  server: { handlers: { POST: projectPosts.inbound } },
  loader: (load) => loadPageData(load, projectPageQueries.inbound(load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Inbound of ${params.slug}`) }] }),
  component: InboundScreen,
})

function InboundScreen() {
  const { slug } = Route.useParams()
  const { done } = Route.useSearch()
  const { data } = useSuspenseQuery(projectPageQueries.inbound(slug))
  return <InboundPage view={data} {...(done !== undefined && { done })} />
}
