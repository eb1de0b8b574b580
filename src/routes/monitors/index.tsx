import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { MonitorList } from '#components/monitor/monitor-list.tsx'
import { monitorListQuery } from '#queries/monitors.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'
import { monitorListSearch } from '#server/console/monitors/monitors.search.ts'

export const Route = createFileRoute('/monitors/')({
  validateSearch: monitorListSearch,
  loaderDeps: ({ search }) => search,
  ...pageRoute('Monitors', monitorListQuery),
  component: MonitorsScreen,
})

function MonitorsScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(monitorListQuery(search))
  return <MonitorList view={data} search={search} />
}
