import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { GeneralPage } from '#components/project/settings/general-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQueries } from '#queries/project-settings.ts'
import { projectPosts } from '#server/console/projects.form.ts'
import { projectPageSearch } from '#server/console/projects.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/projects/$slug/')({
  validateSearch: projectPageSearch,
  server: { handlers: { POST: projectPosts.general } },
  loader: (load) => loadPageData(load, projectPageQueries.general(load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`General of ${params.slug}`) }] }),
  component: GeneralScreen,
})

function GeneralScreen() {
  const { slug } = Route.useParams()
  const { done } = Route.useSearch()
  const { data } = useSuspenseQuery(projectPageQueries.general(slug))
  return <GeneralPage view={data} {...(done !== undefined && { done })} />
}
