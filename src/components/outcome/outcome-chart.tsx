import { Disclosure } from '#components/ui/disclosure.tsx'
import { exactCount } from '#components/ui/number-text.ts'
import { sumSteps } from '#components/ui/stacked-bars.ts'
import { StepChart } from '#components/ui/step-chart.tsx'
import { StepTable } from '#components/ui/step-table.tsx'
import type { OutcomeView } from '#server/store/outcome-views.ts'
import { periodNames } from './outcome-search.ts'
import { outcomeNames } from './outcome-texts.ts'

/** What came in over time, stacked by outcome, with its legend; and the same as a table. */
export function OutcomeChart({ view: { series, since, stepMs, period } }: { view: OutcomeView }) {
  const steps = sumSteps(series).flatMap((total, index) => (total > 0 ? [index] : []))
  return (
    <>
      <StepChart
        title={`Outcomes of ${periodNames[period]}`}
        series={series.map(({ outcome, counts }) => ({ name: outcome, counts }))}
        names={outcomeNames}
        markOf={(outcome) => ({ 'data-outcome': outcome })}
        since={since}
        stepMs={stepMs}
        height={120}
      />
      <Disclosure summary="The same as a table">
        <StepTable
          caption="Outcomes over time"
          columns={series.map(({ outcome, counts }) => ({
            name: outcomeNames[outcome],
            textOf: (index) => exactCount(counts[index] ?? 0),
          }))}
          steps={steps}
          since={since}
          stepMs={stepMs}
        />
      </Disclosure>
    </>
  )
}
