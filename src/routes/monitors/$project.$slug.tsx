import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { MonitorPage } from '#components/monitor/monitor-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { monitorQuery } from '#queries/monitors.ts'
import { pageHead } from '#routes/-frame/page-title.ts'
import { monitorSearch } from '#server/console/monitors/monitors.search.ts'

export const Route = createFileRoute('/monitors/$project/$slug')({
  validateSearch: monitorSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, monitorQuery(load.params, load.deps)),
  head: (page) => pageHead(page.params.slug, page),
  component: MonitorScreen,
})

function MonitorScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(monitorQuery(Route.useParams(), search))
  return <MonitorPage view={data} search={search} />
}
