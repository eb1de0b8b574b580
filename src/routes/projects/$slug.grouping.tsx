import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { GroupingPage } from '#components/project/settings/grouping-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQuery } from '#queries/project-settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/projects/$slug/grouping')({
  loader: (load) => loadPageData(load, projectPageQuery('grouping', load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Grouping of ${params.slug}`) }] }),
  component: GroupingScreen,
})

function GroupingScreen() {
  const { slug } = Route.useParams()
  const { data } = useSuspenseQuery(projectPageQuery('grouping', slug))
  return <GroupingPage view={data} />
}
