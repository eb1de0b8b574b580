import { Count } from '#components/ui/count.tsx'
import { useTimeZone } from '#components/ui/time/time-zone.tsx'
import { exactCount } from '#numbers/number-text.ts'
import { ChartPlot } from './chart-plot.tsx'
import { stackBars, sumSteps, type BarSeries } from './stacked-bars.ts'
import { stepName, stepText } from './step-text.ts'

const barWidth = 14
const step = barWidth + 2

/** Counts over time as stacked bars, with their legend. Show the same numbers in a `StepTable`. */
export function StepChart<Name extends string>({
  title,
  series,
  names,
  markOf,
  since,
  stepMs,
  height,
}: {
  /** The subject and the time range: the start of the text for screen readers. */
  title: string
  /** From the bottom up. */
  series: readonly BarSeries<Name>[]
  /** As the legend has them. */
  names: Record<Name, string>
  /** The attribute that gives a name its colour. */
  markOf: (name: Name) => Record<`data-${string}`, string>
  /** When the first step began. Unix milliseconds. */
  since: number
  stepMs: number
  height: number
}) {
  const zone = useTimeZone()
  const bars = stackBars(series, height)
  const peak = Math.max(0, ...sumSteps(series))
  const width = bars.length * step - (step - barWidth)
  const words = series.map(({ name, counts }) => `${exactCount(sumOf(counts))} ${names[name]}`)
  return (
    <figure className="step-chart">
      <figcaption>
        <ul className="step-legend">
          {series.map(({ name, counts }) => (
            <li key={name} className="series-mark" {...markOf(name)}>
              {names[name]} <Count value={sumOf(counts)} />
            </li>
          ))}
        </ul>
        <span className="step-chart-scale">
          peak <Count value={peak} /> {stepName(stepMs)}
        </span>
      </figcaption>
      <ChartPlot peak={peak}>
        <svg role="img" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
          <title>{`${title}: ${words.join(', ') || 'none'}`}</title>
          {bars.map((bar, index) => (
            <g key={index}>
              <title>{`${stepText(since + index * stepMs, stepMs, zone)}: ${barText(series, names, index)}`}</title>
              <rect className="step-chart-hit" x={index * step} width={step} height={height} />
              {bar.parts.map((part) => (
                <rect
                  key={part.name}
                  {...markOf(part.name)}
                  x={index * step}
                  y={part.y}
                  width={barWidth}
                  height={part.height}
                />
              ))}
            </g>
          ))}
        </svg>
      </ChartPlot>
      <p className="step-chart-axis" aria-hidden="true">
        <span>{stepText(since, stepMs, zone)}</span>
        <span>now</span>
      </p>
    </figure>
  )
}

function barText<Name extends string>(
  series: readonly BarSeries<Name>[],
  names: Record<Name, string>,
  index: number,
): string {
  const parts = series.flatMap(({ name, counts }) => {
    const count = counts[index] ?? 0
    return count > 0 ? [`${exactCount(count)} ${names[name]}`] : []
  })
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
