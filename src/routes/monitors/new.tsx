import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { NewMonitor } from '#components/monitor/new-monitor.tsx'
import { newMonitorQuery } from '#queries/monitors.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'

export const Route = createFileRoute('/monitors/new')({
  ...pageRoute('New cron monitor', newMonitorQuery),
  component: function NewMonitorScreen() {
    return <NewMonitor view={useSuspenseQuery(newMonitorQuery()).data} />
  },
})
