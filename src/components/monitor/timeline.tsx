import { useTimeZone } from '#components/ui/time/time-zone.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { StepCounts } from '#server/console/monitors/views.ts'
import type { MonitorKind } from '#server/store/monitors/records.ts'
import { formatSpan } from '#time/time-span.ts'
import { stepsUntil } from '#time/time-steps.ts'
import type { TimeZone } from '#time/time-zone.ts'
import { shownStatuses, statusNames, uptimeNames } from './status-names.ts'

/**
 * The check-ins of a period, a mark for each interval with its time and its counts; the text of all has the
 * totals. `view`: the time of the last interval, and the length of each.
 */
export function MonitorTimeline({
  steps,
  view: { now, stepMs },
  period,
  kind = 'cron',
}: {
  steps: readonly StepCounts[]
  view: { now: number; stepMs: number }
  period: string
  kind?: MonitorKind
}) {
  const zone = useTimeZone()
  const { since } = stepsUntil(now, { stepMs, stepCount: steps.length })
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
          title={describeStep(step, names, { at: since + index * stepMs, stepMs, zone })}
        />
      ))}
    </div>
  )
}

/** `2026-03-01 12:00 – 12:30 UTC: 3 ok, 1 failed`; nothing without check-ins. */
function describeStep(
  counts: StepCounts,
  names: typeof statusNames,
  { at, stepMs, zone }: { at: number; stepMs: number; zone: TimeZone },
): string | undefined {
  if (shownStatuses.every((status) => (counts[status] ?? 0) === 0)) return undefined
  return `${formatSpan({ from: at, to: at + stepMs }, zone)}: ${describe(counts, names)}`
}

function describe(counts: StepCounts, names: typeof statusNames): string {
  const parts = shownStatuses.flatMap((status) => {
    const count = counts[status] ?? 0
    return count === 0 ? [] : [countedNoun(count, names[status], names[status])]
  })
  return parts.length === 0 ? 'none' : parts.join(', ')
}
