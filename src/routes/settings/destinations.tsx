import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Destinations } from '#components/alert/destinations.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { destinationsQuery } from '#queries/alerts.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'
import { destinationsSearch } from '#server/console/alerts/destinations.search.ts'

export const Route = createFileRoute('/settings/destinations')({
  validateSearch: destinationsSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, destinationsQuery(load.deps)),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Destinations') }] }),
  component: DestinationsScreen,
})

function DestinationsScreen() {
  const { data } = useSuspenseQuery(destinationsQuery(Route.useSearch()))
  return <Destinations view={data} />
}
