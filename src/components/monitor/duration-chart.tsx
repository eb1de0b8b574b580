import { barsPath, barsWidth, layOutBars } from '#components/ui/chart/bars-geometry.ts'
import { durationText } from './duration-text.ts'

const box = { height: 64, barWidth: 9, gap: 2 }

interface DurationChartProps {
  durations: readonly (number | null)[]
  /** The name of the duration: `Response time`. */
  name: string
  period: string
}

/** The mean duration of each step of a period as bars, the oldest first. Its title describes it in words. */
export function DurationChart({ durations, name, period }: DurationChartProps) {
  const known = durations.filter((each) => each !== null)
  if (known.length === 0) return <p className="quiet">No duration in {period} yet.</p>
  const width = barsWidth(durations.length, box)
  const bars = layOutBars(
    durations.map((each) => (each === null ? 0 : Math.max(1, each))),
    box,
  )
  const [least, most] = [durationText(Math.min(...known)), durationText(Math.max(...known))]
  const spanText = least === most ? least : `${least} to ${most}`
  return (
    <figure className="duration-chart">
      <figcaption>
        {name}, mean: {spanText}
      </figcaption>
      <svg
        role="img"
        viewBox={`0 0 ${width} ${box.height}`}
        preserveAspectRatio="none"
        aria-label={`${name} of ${period}: ${spanText}, at the end ${durationText(known.at(-1) ?? 0)}`}
      >
        <path d={barsPath(bars)} />
      </svg>
    </figure>
  )
}
