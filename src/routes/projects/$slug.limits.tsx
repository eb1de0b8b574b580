import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { LimitsPage } from '#components/project/settings/limits-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQuery } from '#queries/project-settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/projects/$slug/limits')({
  loader: (load) => loadPageData(load, projectPageQuery('limits', load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Limits of ${params.slug}`) }] }),
  component: LimitsScreen,
})

function LimitsScreen() {
  const { slug } = Route.useParams()
  const { data } = useSuspenseQuery(projectPageQuery('limits', slug))
  return <LimitsPage view={data} />
}
