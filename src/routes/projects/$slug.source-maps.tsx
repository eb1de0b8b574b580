import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { SourceMapsPage } from '#components/project/settings/source-maps-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { projectPageQuery } from '#queries/project-settings.ts'
import { projectRoute } from '#routes/-frame/project-page.tsx'
import { sourceMapsSearch } from '#server/console/projects/projects.search.ts'

export const Route = createFileRoute('/projects/$slug/source-maps')({
  validateSearch: sourceMapsSearch,
  loaderDeps: ({ search }) => search,
  ...projectRoute('source-maps'),
  loader: (load) => loadPageData(load, projectPageQuery('source-maps', load.params.slug, load.deps.release)),
  component: SourceMapsScreen,
})

function SourceMapsScreen() {
  const { slug } = Route.useParams()
  const { release } = Route.useSearch()
  const { data } = useSuspenseQuery(projectPageQuery('source-maps', slug, release))
  return <SourceMapsPage view={data} />
}
