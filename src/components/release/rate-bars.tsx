import { stepText } from '#components/ui/chart/step-text.ts'
import { useTimeZone } from '#components/ui/time/time-zone.tsx'

const height = 48
const barWidth = 6
const step = barWidth + 1

interface RateBarsProps {
  title: string
  /** In percent. */
  rates: readonly (number | undefined)[]
  floor: number
  since: number
  stepMs: number
}

/** A share over time as bars from `floor` to 100 percent; a step without one has no bar. `title` names it. */
export function RateBars({ title, rates, floor, since, stepMs }: RateBarsProps) {
  const zone = useTimeZone()
  const known = rates.filter((rate) => rate !== undefined)
  const words =
    known.length === 0
      ? 'none'
      : `at least ${rateText(Math.min(...known))}, at most ${rateText(Math.max(...known))}`
  return (
    <figure className="rate-bars">
      <figcaption>{title}</figcaption>
      <svg role="img" viewBox={`0 0 ${rates.length * step - 1} ${height}`} preserveAspectRatio="none">
        <title>{`${title}: ${words}`}</title>
        {rates.map((rate, index) => {
          if (rate === undefined || rate === 0) return null
          const barHeight = Math.max(1, ((rate - floor) / (100 - floor)) * height)
          const y = Math.round((height - barHeight) * 100) / 100
          return (
            <rect key={index} x={index * step} y={y} width={barWidth} height={height - y}>
              <title>{`${stepText(since + index * stepMs, stepMs, zone)}: ${rateText(rate)}`}</title>
            </rect>
          )
        })}
      </svg>
      <p className="step-chart-axis" aria-hidden="true">
        <span>{floor}% to 100%</span>
        <span>now</span>
      </p>
    </figure>
  )
}

/** Rounded down to two digits: only all is 100%. */
function rateText(rate: number): string {
  return `${Math.floor(rate * 100 + 1e-6) / 100}%`
}
