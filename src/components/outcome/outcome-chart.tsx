import { Count } from '#components/ui/count.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { exactCount } from '#components/ui/number-text.ts'
import { stackBars, sumSteps } from '#components/ui/stacked-bars.ts'
import type { OutcomeSeries, OutcomeView } from '#server/store/outcome-views.ts'
import { periodNames } from './outcome-search.ts'
import { stepName, stepText } from './outcome-steps.ts'
import { outcomeNames } from './outcome-texts.ts'
import { OutcomeTimeTable } from './outcome-time-table.tsx'

const height = 120
const barWidth = 14
const step = barWidth + 2

/** What came in over time, stacked by outcome, with its legend; and the same as a table. */
export function OutcomeChart({ view }: { view: OutcomeView }) {
  const { series, since, stepMs } = view
  const named = series.map(({ outcome, counts }) => ({ name: outcome, counts }))
  const bars = stackBars(named, height)
  const width = bars.length * step - (step - barWidth)
  return (
    <>
      <figure className="outcome-chart">
        <figcaption>
          <OutcomeLegend series={series} />
          <span className="outcome-chart-scale">
            peak <Count value={Math.max(0, ...sumSteps(series))} /> {stepName(stepMs)}
          </span>
        </figcaption>
        <svg role="img" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
          <title>{chartSummary(view)}</title>
          {bars.map((bar, index) => (
            <g key={index}>
              <title>{`${stepText(since + index * stepMs, stepMs)}: ${barSummary(series, index)}`}</title>
              <rect className="outcome-chart-hit" x={index * step} width={step} height={height} />
              {bar.parts.map((part) => (
                <rect
                  key={part.name}
                  data-outcome={part.name}
                  x={index * step}
                  y={part.y}
                  width={barWidth}
                  height={part.height}
                />
              ))}
            </g>
          ))}
        </svg>
        <p className="outcome-chart-axis" aria-hidden="true">
          <span>{stepText(since, stepMs)}</span>
          <span>now</span>
        </p>
      </figure>
      <Disclosure summary="The same as a table">
        <OutcomeTimeTable view={view} />
      </Disclosure>
    </>
  )
}

function OutcomeLegend({ series }: { series: readonly OutcomeSeries[] }) {
  return (
    <ul className="outcome-legend">
      {series.map(({ outcome, counts }) => (
        <li key={outcome} className="outcome-mark" data-outcome={outcome}>
          {outcomeNames[outcome]} <Count value={sumOf(counts)} />
        </li>
      ))}
    </ul>
  )
}

function chartSummary({ series, period }: OutcomeView): string {
  const parts = series.map(({ outcome, counts }) => `${exactCount(sumOf(counts))} ${outcomeNames[outcome]}`)
  return `Outcomes of ${periodNames[period]}: ${parts.join(', ')}`
}

function barSummary(series: readonly OutcomeSeries[], index: number): string {
  const parts = series.flatMap(({ outcome, counts }) => {
    const count = counts[index] ?? 0
    return count > 0 ? [`${exactCount(count)} ${outcomeNames[outcome]}`] : []
  })
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
