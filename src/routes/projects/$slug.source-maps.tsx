import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { SourceMapsPage } from '#components/project/settings/source-maps-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQuery } from '#queries/project-settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'
import { sourceMapsSearch } from '#server/console/projects/projects.search.ts'

export const Route = createFileRoute('/projects/$slug/source-maps')({
  validateSearch: sourceMapsSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, projectPageQuery('source-maps', load.params.slug, load.deps.release)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Source maps of ${params.slug}`) }] }),
  component: SourceMapsScreen,
})

function SourceMapsScreen() {
  const { slug } = Route.useParams()
  const { release } = Route.useSearch()
  const { data } = useSuspenseQuery(projectPageQuery('source-maps', slug, release))
  return <SourceMapsPage view={data} />
}
