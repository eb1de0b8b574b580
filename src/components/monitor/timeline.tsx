import { countedNoun } from '#numbers/number-text.ts'
import type { StepCounts } from '#server/console/monitors/views.ts'
import type { MonitorKind } from '#server/store/monitors/records.ts'
import { shownStatuses, statusNames, uptimeNames } from './status-names.ts'

/** The check-ins of a period, a mark for each interval; its text has the totals. */
export function MonitorTimeline({
  steps,
  period,
  kind = 'cron',
}: {
  steps: readonly StepCounts[]
  period: string
  kind?: MonitorKind
}) {
  const [noun, names] = kind === 'uptime' ? ['Checks', uptimeNames] : ['Check-ins', statusNames]

  const total: StepCounts = {}
  for (const step of steps)
    for (const status of shownStatuses) total[status] = (total[status] ?? 0) + (step[status] ?? 0)
  return (
    <div
      className="monitor-timeline"
      role="img"
      aria-label={`${noun} of ${period}: ${describe(total, names)}`}
    >
      {steps.map((step, index) => (
        <span
          key={index}
          data-status={shownStatuses.find((status) => (step[status] ?? 0) > 0)}
          title={describe(step, names)}
        />
      ))}
    </div>
  )
}

function describe(counts: StepCounts, names: typeof statusNames): string {
  const parts = shownStatuses.flatMap((status) => {
    const count = counts[status] ?? 0
    return count === 0 ? [] : [countedNoun(count, names[status], names[status])]
  })
  return parts.length === 0 ? 'none' : parts.join(', ')
}
