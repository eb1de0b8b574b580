import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { SystemReport } from '#components/system/system-report.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { systemQuery } from '#queries/settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/settings/system')({
  loader: (load) => loadPageData(load, systemQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('System') }] }),
  component: SystemScreen,
})

function SystemScreen() {
  const { data } = useSuspenseQuery(systemQuery())
  return <SystemReport view={data} />
}
