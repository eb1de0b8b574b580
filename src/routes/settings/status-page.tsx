import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { StatusPageSettings } from '#components/monitor/status-page-settings.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { statusPageQuery } from '#queries/monitors.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/settings/status-page')({
  loader: (load) => loadPageData(load, statusPageQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Status page') }] }),
  component: StatusPageScreen,
})

function StatusPageScreen() {
  const { data } = useSuspenseQuery(statusPageQuery())
  return <StatusPageSettings view={data} />
}
