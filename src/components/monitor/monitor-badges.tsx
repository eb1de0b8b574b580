import { Badge } from '#components/ui/badge.tsx'
import type { EnvironmentView, MonitorSummary } from '#server/console/monitors/views.ts'
import { statusNames } from './status-names.ts'

/** The state of a monitor in an environment, in words. */
export function MonitorBadges({
  monitor: { isPaused, isMuted },
  environment,
}: {
  monitor: Pick<MonitorSummary, 'isPaused' | 'isMuted'>
  environment: EnvironmentView | undefined
}) {
  return (
    <>
      {isPaused ? <Badge>paused</Badge> : null}
      {isMuted ? <Badge>muted</Badge> : null}
      {environment === undefined || isPaused ? null : <StateBadge environment={environment} />}
    </>
  )
}

function StateBadge({ environment: { isFailing, lastStatus } }: { environment: EnvironmentView }) {
  if (isFailing) return <Badge tone="danger">failing</Badge>
  return <Badge tone={lastStatus === 'ok' ? 'success' : 'neutral'}>{statusNames[lastStatus]}</Badge>
}
