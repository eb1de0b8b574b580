import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { SetupPage } from '#components/project/settings/setup-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { useFirstEvent } from '#queries/first-event.ts'
import { projectPageQueries } from '#queries/project-settings.ts'
import { projectPosts } from '#server/console/projects.form.ts'
import { projectPageSearch } from '#server/console/projects.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/projects/$slug/setup')({
  validateSearch: projectPageSearch,
  server: { handlers: { POST: projectPosts.setup } },
  loader: (load) => loadPageData(load, projectPageQueries.setup(load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Set-up of ${params.slug}`) }] }),
  component: SetupScreen,
})

function SetupScreen() {
  const { slug } = Route.useParams()
  const { done } = Route.useSearch()
  const { data } = useSuspenseQuery(projectPageQueries.setup(slug))
  useFirstEvent(slug, data.issue === undefined)
  return <SetupPage view={data} {...(done !== undefined && { done })} />
}
