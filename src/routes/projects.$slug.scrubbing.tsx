import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ScrubbingPage } from '#components/project/settings/scrubbing-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQueries } from '#queries/project-settings.ts'
import { projectPosts } from '#server/console/projects.form.ts'
import { projectPageSearch } from '#server/console/projects.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/projects/$slug/scrubbing')({
  validateSearch: projectPageSearch,
  server: { handlers: { POST: projectPosts.scrubbing } },
  loader: (load) => loadPageData(load, projectPageQueries.scrubbing(load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Scrubbing of ${params.slug}`) }] }),
  component: ScrubbingScreen,
})

function ScrubbingScreen() {
  const { slug } = Route.useParams()
  const { done } = Route.useSearch()
  const { data } = useSuspenseQuery(projectPageQueries.scrubbing(slug))
  return <ScrubbingPage view={data} {...(done !== undefined && { done })} />
}
