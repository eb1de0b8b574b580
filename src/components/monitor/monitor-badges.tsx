import { Badge } from '#components/ui/badge.tsx'
import type { EnvironmentView, MonitorSummary } from '#server/console/monitors/views.ts'
import { statusNames, statusTones, uptimeNames } from './status-names.ts'

/** The state of a monitor in an environment, in words. */
export function MonitorBadges({
  monitor: { isPaused, isMuted, kind },
  environment,
}: {
  monitor: Pick<MonitorSummary, 'isPaused' | 'isMuted' | 'kind'>
  environment: EnvironmentView | undefined
}) {
  return (
    <>
      {isPaused ? <Badge>paused</Badge> : null}
      {isMuted ? <Badge>muted</Badge> : null}
      {environment === undefined || isPaused ? null : <StateBadge environment={environment} kind={kind} />}
    </>
  )
}

/** A failure below the threshold is the result of one run or check, and not yet the state of the monitor. */
function StateBadge({
  environment: { isFailing, lastStatus },
  kind,
}: {
  environment: EnvironmentView
  kind: MonitorSummary['kind']
}) {
  const isUptime = kind === 'uptime'
  if (isFailing) return <Badge tone="danger">{isUptime ? 'down' : 'failing'}</Badge>
  const name = (isUptime ? uptimeNames : statusNames)[lastStatus]
  const tone = statusTones[lastStatus]
  if (tone !== 'danger') return <Badge tone={tone}>{name}</Badge>
  return <Badge tone="warning">{`last ${isUptime ? 'check' : 'run'} ${name}`}</Badge>
}
