import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { InboundPage } from '#components/project/settings/inbound-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQuery } from '#queries/project-settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/projects/$slug/inbound')({
  loader: (load) => loadPageData(load, projectPageQuery('inbound', load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Inbound of ${params.slug}`) }] }),
  component: InboundScreen,
})

function InboundScreen() {
  const { slug } = Route.useParams()
  const { data } = useSuspenseQuery(projectPageQuery('inbound', slug))
  return <InboundPage view={data} />
}
