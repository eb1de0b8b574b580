import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { LimitsPage } from '#components/project/settings/limits-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQueries } from '#queries/project-settings.ts'
import { projectPosts } from '#server/console/projects.form.ts'
import { projectPageSearch } from '#server/console/projects.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/projects/$slug/limits')({
  validateSearch: projectPageSearch,
  server: { handlers: { POST: projectPosts.limits } },
  loader: (load) => loadPageData(load, projectPageQueries.limits(load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Limits of ${params.slug}`) }] }),
  component: LimitsScreen,
})

function LimitsScreen() {
  const { slug } = Route.useParams()
  const { done } = Route.useSearch()
  const { data } = useSuspenseQuery(projectPageQueries.limits(slug))
  return <LimitsPage view={data} {...(done !== undefined && { done })} />
}
