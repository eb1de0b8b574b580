import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { GroupingPage } from '#components/project/settings/grouping-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQueries } from '#queries/project-settings.ts'
import { projectPosts } from '#server/console/projects.form.ts'
import { projectPageSearch } from '#server/console/projects.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/projects/$slug/grouping')({
  validateSearch: projectPageSearch,
  server: { handlers: { POST: projectPosts.grouping } },
  loader: (load) => loadPageData(load, projectPageQueries.grouping(load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Grouping of ${params.slug}`) }] }),
  component: GroupingScreen,
})

function GroupingScreen() {
  const { slug } = Route.useParams()
  const { done } = Route.useSearch()
  const { data } = useSuspenseQuery(projectPageQueries.grouping(slug))
  return <GroupingPage view={data} {...(done !== undefined && { done })} />
}
