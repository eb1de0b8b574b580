import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { NewMonitor } from '#components/monitor/new-monitor.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { newMonitorQuery } from '#queries/monitors.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/monitors/new')({
  loader: (load) => loadPageData(load, newMonitorQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('New cron monitor') }] }),
  component: NewMonitorScreen,
})

function NewMonitorScreen() {
  const { data } = useSuspenseQuery(newMonitorQuery())
  return <NewMonitor view={data} />
}
