import { sumSteps } from '#components/ui/chart/stacked-bars.ts'
import { StepChart } from '#components/ui/chart/step-chart.tsx'
import { StepTable } from '#components/ui/chart/step-table.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { countedNoun, exactCount } from '#numbers/number-text.ts'
import type { OutcomeView } from '#server/console/outcomes/views.ts'
import { outcomePeriodNames } from './outcome-search.ts'
import { outcomeNames } from './outcome-texts.ts'

/** Received items over time, stacked by outcome, with a legend; and the same as a table. */
export function OutcomeChart({ view }: { view: OutcomeView }) {
  const { series, since, stepMs, period, unchartedDiscardCount } = view
  const steps = sumSteps(series).flatMap((total, index) => (total > 0 ? [index] : []))
  const note =
    unchartedDiscardCount === 0 ? null : (
      <p className="quiet">
        Not in the chart: {countedNoun(unchartedDiscardCount, 'item')} dropped by SDKs, or not supported.
      </p>
    )
  if (series.length === 0) return note
  return (
    <>
      <StepChart
        title={`Outcomes of ${outcomePeriodNames[period]}`}
        series={series.map(({ outcome, counts }) => ({ name: outcome, counts }))}
        names={outcomeNames}
        markOf={(outcome) => ({ 'data-outcome': outcome })}
        since={since}
        stepMs={stepMs}
        height={120}
      />
      {note}
      <Disclosure summary="View as table">
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
