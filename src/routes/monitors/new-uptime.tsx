import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { NewUptime } from '#components/monitor/new-uptime.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { newMonitorQuery } from '#queries/monitors.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/monitors/new-uptime')({
  loader: (load) => loadPageData(load, newMonitorQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('New uptime monitor') }] }),
  component: NewUptimeScreen,
})

function NewUptimeScreen() {
  const { data } = useSuspenseQuery(newMonitorQuery())
  return <NewUptime view={data} />
}
