import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { SourceMapsPage } from '#components/project/settings/source-maps-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectSourceMapsQuery } from '#queries/project-settings.ts'
import { projectPosts } from '#server/console/projects.form.ts'
import { projectPageSearch } from '#server/console/projects.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/projects/$slug/source-maps')({
  validateSearch: projectPageSearch,
  loaderDeps: ({ search }) => search,
  server: { handlers: { POST: projectPosts.sourceMaps } },
  loader: (load) => loadPageData(load, projectSourceMapsQuery(load.params.slug, load.deps.release)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Source maps of ${params.slug}`) }] }),
  component: SourceMapsScreen,
})

function SourceMapsScreen() {
  const { slug } = Route.useParams()
  const { done, release } = Route.useSearch()
  const { data } = useSuspenseQuery(projectSourceMapsQuery(slug, release))
  return <SourceMapsPage view={data} {...(done !== undefined && { done })} />
}
