import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { KeysPage } from '#components/project/settings/keys-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQueries } from '#queries/project-settings.ts'
import { projectPosts } from '#server/console/projects.form.ts'
import { projectPageSearch } from '#server/console/projects.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/projects/$slug/keys')({
  validateSearch: projectPageSearch,
  server: { handlers: { POST: projectPosts.keys } },
  loader: (load) => loadPageData(load, projectPageQueries.keys(load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Keys of ${params.slug}`) }] }),
  component: KeysScreen,
})

function KeysScreen() {
  const { slug } = Route.useParams()
  const { done } = Route.useSearch()
  const { data } = useSuspenseQuery(projectPageQueries.keys(slug))
  return <KeysPage view={data} {...(done !== undefined && { done })} />
}
