import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ReleaseList } from '#components/release/release-list.tsx'
import { releaseListQuery } from '#queries/releases.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'
import { releaseListSearch } from '#server/console/releases/releases.search.ts'

export const Route = createFileRoute('/releases/')({
  validateSearch: releaseListSearch,
  loaderDeps: ({ search }) => search,
  ...pageRoute('Releases', releaseListQuery),
  component: ReleasesScreen,
})

function ReleasesScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(releaseListQuery(search))
  return <ReleaseList view={data} search={search} />
}
