import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { TunnelScreen } from '#components/tunnel/tunnel-screen.tsx'
import { useAction } from '#queries/changes/use-action.ts'
import { tunnelQuery } from '#queries/tunnel.ts'
import { upstreamAction } from '#queries/upstream-action.ts'
import { pageRoute } from './-frame/page-route.ts'

export const Route = createFileRoute('/tunnel')({
  ...pageRoute('Forwarding', tunnelQuery),
  component: TunnelPage,
})

function TunnelPage() {
  const { data } = useSuspenseQuery(tunnelQuery())
  const action = useAction(upstreamAction)
  return <TunnelScreen view={data} action={action} />
}
