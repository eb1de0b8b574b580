import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { StatusPageSettings } from '#components/monitor/status-page-settings.tsx'
import { statusPageQuery } from '#queries/monitors.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'

export const Route = createFileRoute('/settings/status-page')({
  ...pageRoute('Status page', statusPageQuery),
  component: function StatusPageScreen() {
    return <StatusPageSettings view={useSuspenseQuery(statusPageQuery()).data} />
  },
})
