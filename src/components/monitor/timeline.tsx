import { countedNoun } from '#components/ui/number-text.ts'
import type { StepCounts } from '#server/console/monitors/views.ts'
import { shownStatuses, statusNames } from './status-names.ts'

/** The check-ins of a period, a mark for each step; its text is the sum. */
export function MonitorTimeline({ steps, period }: { steps: readonly StepCounts[]; period: string }) {
  const total: StepCounts = {}
  for (const step of steps)
    for (const status of shownStatuses) total[status] = (total[status] ?? 0) + (step[status] ?? 0)
  return (
    <div className="monitor-timeline" role="img" aria-label={`Check-ins of ${period}: ${describe(total)}`}>
      {steps.map((step, index) => (
        <span
          key={index}
          data-status={shownStatuses.find((status) => (step[status] ?? 0) > 0)}
          title={describe(step)}
        />
      ))}
    </div>
  )
}

function describe(counts: StepCounts): string {
  const parts = shownStatuses.flatMap((status) => {
    const count = counts[status] ?? 0
    return count === 0 ? [] : [countedNoun(count, statusNames[status], statusNames[status])]
  })
  return parts.length === 0 ? 'none' : parts.join(', ')
}
