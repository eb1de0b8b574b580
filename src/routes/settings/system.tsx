import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { SystemReport } from '#components/system/system-report.tsx'
import { systemQuery } from '#queries/settings.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'

export const Route = createFileRoute('/settings/system')({
  ...pageRoute('System', systemQuery),
  component: function SystemScreen() {
    return <SystemReport view={useSuspenseQuery(systemQuery()).data} />
  },
})
