import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { UpstreamsPage } from '#components/project/settings/upstreams-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQuery } from '#queries/project-settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/projects/$slug/upstreams')({
  loader: (load) => loadPageData(load, projectPageQuery('upstreams', load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Upstreams of ${params.slug}`) }] }),
  component: UpstreamsScreen,
})

function UpstreamsScreen() {
  const { slug } = Route.useParams()
  const { data } = useSuspenseQuery(projectPageQuery('upstreams', slug))
  return <UpstreamsPage view={data} />
}
