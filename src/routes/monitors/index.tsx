import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { MonitorList } from '#components/monitor/monitor-list.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { monitorListQuery } from '#queries/monitors.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'
import { monitorListSearch } from '#server/console/monitors/monitors.search.ts'

export const Route = createFileRoute('/monitors/')({
  validateSearch: monitorListSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, monitorListQuery(load.deps)),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Monitors') }] }),
  component: MonitorsScreen,
})

function MonitorsScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(monitorListQuery(search))
  return <MonitorList view={data} search={search} />
}
