import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { TunnelScreen } from '#components/tunnel/tunnel-screen.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { useAction } from '#queries/changes/use-action.ts'
import { tunnelQuery } from '#queries/tunnel.ts'
import { upstreamAction } from '#queries/upstream-action.ts'
import { pageTitle } from './-frame/page-title.ts'

export const Route = createFileRoute('/tunnel')({
  loader: (load) => loadPageData(load, tunnelQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Forwarding') }] }),
  component: TunnelPage,
})

function TunnelPage() {
  const { data } = useSuspenseQuery(tunnelQuery())
  const action = useAction(upstreamAction)
  return <TunnelScreen view={data} action={action} />
}
