import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ReleaseDetail } from '#components/release/release-detail.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { releaseQuery } from '#queries/releases.ts'
import { pageHead } from '#routes/-frame/page-title.ts'
import { releaseSearch } from '#server/console/releases/releases.search.ts'

export const Route = createFileRoute('/releases/$version')({
  validateSearch: releaseSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, releaseQuery(load.params.version, load.deps)),
  head: (page) => pageHead(`Release ${page.params.version}`, page),
  component: ReleaseScreen,
})

function ReleaseScreen() {
  const { version } = Route.useParams()
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(releaseQuery(version, search))
  return <ReleaseDetail view={data} />
}
