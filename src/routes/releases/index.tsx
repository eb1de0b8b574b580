import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ReleaseList } from '#components/release/release-list.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { releaseListQuery } from '#queries/releases.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'
import { releaseListSearch } from '#server/console/releases/releases.search.ts'

export const Route = createFileRoute('/releases/')({
  validateSearch: releaseListSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, releaseListQuery(load.deps)),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Releases') }] }),
  component: ReleasesScreen,
})

function ReleasesScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(releaseListQuery(search))
  return <ReleaseList view={data} search={search} />
}
