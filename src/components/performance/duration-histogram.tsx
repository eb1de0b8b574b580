import { countedNoun } from '#numbers/number-text.ts'
import type { DurationBar } from '#server/console/performance/views.ts'
import { figureDuration } from './figure-text.ts'

const height = 96
const barWidth = 14
const step = barWidth + 2

/** The histogram of a transaction's durations, on a logarithmic scale. */
export function DurationHistogram({ bars }: { bars: readonly DurationBar[] }) {
  const peak = Math.max(1, ...bars.map(({ count }) => count))
  const [first, last] = [bars[0], bars.at(-1)]
  if (first === undefined || last === undefined) return null
  const range = `from ${figureDuration(first.from)} to ${figureDuration(last.to)}`
  return (
    <figure className="duration-figure">
      <svg role="img" viewBox={`0 0 ${bars.length * step} ${height}`} preserveAspectRatio="none">
        <title>{`Duration histogram, ${range}`}</title>
        {bars.map(({ from, to, count }, index) => {
          const barHeight = count === 0 ? 0 : Math.max(2, (count / peak) * height)
          return (
            <g key={index}>
              <title>{`${figureDuration(from)} to ${figureDuration(to)}: ${countedNoun(count, 'transaction')}`}</title>
              <rect x={index * step} y={height - barHeight} width={barWidth} height={barHeight} />
            </g>
          )
        })}
      </svg>
      <p className="step-chart-axis" aria-hidden="true">
        <span>{figureDuration(first.from)}</span>
        <span>{figureDuration(last.to)}</span>
      </p>
    </figure>
  )
}
