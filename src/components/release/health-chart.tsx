import { StepChart } from '#components/ui/chart/step-chart.tsx'
import type { HealthHistory } from '#server/store/releases/records.ts'
import { healthPeriodNames, shownStates, stateNames } from './health-texts.ts'

/** Sessions over time, stacked by their state; states that none was in are left out. */
export function HealthChart({ health: { steps, since, stepMs, period } }: { health: HealthHistory }) {
  const series = shownStates
    .map((name) => ({ name, counts: steps.map(({ counts }) => counts[name]) }))
    .filter(({ counts }) => counts.some((count) => count > 0))
  return (
    <StepChart
      title={`Sessions of ${healthPeriodNames[period]}`}
      series={series}
      names={stateNames}
      markOf={(state) => ({ 'data-state': state })}
      since={since}
      stepMs={stepMs}
      height={96}
    />
  )
}
