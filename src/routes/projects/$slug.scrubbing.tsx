import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ScrubbingPage } from '#components/project/settings/scrubbing-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQuery } from '#queries/project-settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/projects/$slug/scrubbing')({
  loader: (load) => loadPageData(load, projectPageQuery('scrubbing', load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Scrubbing of ${params.slug}`) }] }),
  component: ScrubbingScreen,
})

function ScrubbingScreen() {
  const { slug } = Route.useParams()
  const { data } = useSuspenseQuery(projectPageQuery('scrubbing', slug))
  return <ScrubbingPage view={data} />
}
