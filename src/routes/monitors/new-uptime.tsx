import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { NewUptime } from '#components/monitor/new-uptime.tsx'
import { newMonitorQuery } from '#queries/monitors.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'

export const Route = createFileRoute('/monitors/new-uptime')({
  ...pageRoute('New uptime monitor', newMonitorQuery),
  component: function NewUptimeScreen() {
    return <NewUptime view={useSuspenseQuery(newMonitorQuery()).data} />
  },
})
