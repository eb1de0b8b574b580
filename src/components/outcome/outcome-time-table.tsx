import { exactCount } from '#components/ui/number-text.ts'
import { sumSteps } from '#components/ui/stacked-bars.ts'
import type { OutcomeView } from '#server/store/outcome-views.ts'
import { stepText } from './outcome-steps.ts'
import { outcomeNames } from './outcome-texts.ts'

/** The numbers behind the chart, newest first; steps in which nothing came in are left out. */
export function OutcomeTimeTable({ view }: { view: OutcomeView }) {
  const { series, since, stepMs } = view
  const steps = sumSteps(series).flatMap((total, index) => (total > 0 ? [index] : []))
  return (
    <table className="outcome-time-table">
      <caption className="visually-hidden">Outcomes over time</caption>
      <thead>
        <tr>
          <th scope="col">From</th>
          {series.map(({ outcome }) => (
            <th key={outcome} scope="col">
              {outcomeNames[outcome]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {steps.toReversed().map((index) => (
          <tr key={index}>
            <th scope="row">{stepText(since + index * stepMs, stepMs)}</th>
            {series.map(({ outcome, counts }) => (
              <td
                key={outcome}
                data-name={outcomeNames[outcome]}
                data-none={counts[index] === 0 || undefined}
              >
                {exactCount(counts[index] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
