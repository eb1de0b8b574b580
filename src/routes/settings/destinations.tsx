import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Destinations } from '#components/alert/destinations.tsx'
import { destinationsQuery } from '#queries/alerts.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'
import { destinationsSearch } from '#server/console/alerts/destinations.search.ts'

export const Route = createFileRoute('/settings/destinations')({
  validateSearch: destinationsSearch,
  loaderDeps: ({ search }) => search,
  ...pageRoute('Destinations', destinationsQuery),
  component: function DestinationsScreen() {
    return <Destinations view={useSuspenseQuery(destinationsQuery(Route.useSearch())).data} />
  },
})
