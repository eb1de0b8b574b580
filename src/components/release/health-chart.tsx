import { stepName, stepText } from '#components/outcome/outcome-steps.ts'
import { Count } from '#components/ui/count.tsx'
import { exactCount } from '#components/ui/number-text.ts'
import { stackBars, sumSteps } from '#components/ui/stacked-bars.ts'
import type { ReleaseHealthView } from '#server/store/release-views.ts'
import { periodNames, shownStates, stateNames } from './health-texts.ts'

const height = 96
const barWidth = 14
const step = barWidth + 2

/** Sessions over time, stacked by their state, with the legend. */
export function HealthChart({ health }: { health: ReleaseHealthView }) {
  const { steps, since, stepMs } = health
  const series = shownStates.flatMap((state) => {
    const counts = steps.map((each) => each.counts[state])
    return counts.some((count) => count > 0) ? [{ name: state, counts }] : []
  })
  const totals = sumSteps(series)
  const width = steps.length * step - (step - barWidth)
  const summary = series.map(({ name, counts }) => `${exactCount(sumOf(counts))} ${stateNames[name]}`)
  return (
    <figure className="outcome-chart health-chart">
      <figcaption>
        <ul className="outcome-legend">
          {series.map(({ name, counts }) => (
            <li key={name} className="outcome-mark" data-state={name}>
              {stateNames[name]} <Count value={sumOf(counts)} />
            </li>
          ))}
        </ul>
        <span className="outcome-chart-scale">
          peak <Count value={Math.max(0, ...totals)} /> {stepName(stepMs)}
        </span>
      </figcaption>
      <svg role="img" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
        <title>{`Sessions of ${periodNames[health.period]}: ${summary.join(', ') || 'none'}`}</title>
        {stackBars(series, height).map((bar, index) => (
          <g key={index}>
            <title>{`${stepText(since + index * stepMs, stepMs)}: ${exactCount(bar.total)}`}</title>
            <rect className="outcome-chart-hit" x={index * step} width={step} height={height} />
            {bar.parts.map(({ name, y, height: partHeight }) => (
              <rect
                key={name}
                data-state={name}
                x={index * step}
                y={y}
                width={barWidth}
                height={partHeight}
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
  )
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
