import { barsPath, barsSummary, barsWidth, layOutBars, type BarUnit } from './bars-geometry.ts'

const box = { height: 24, barWidth: 3, gap: 1 }

interface BarsProps {
  counts: readonly number[]
  label: string
  unit?: BarUnit
}

/**
 * Events per hour or day as a row of small bars, oldest first; the current one is highlighted. Its title
 * describes it in words.
 */
export function Bars({ counts, label, unit = 'hour' }: BarsProps) {
  const bars = layOutBars(counts, box)
  const width = barsWidth(counts.length, box)
  return (
    <svg
      className="bars"
      role="img"
      viewBox={`0 0 ${width} ${box.height}`}
      width={width}
      height={box.height}
      preserveAspectRatio="none"
    >
      <title>{`${label}: ${barsSummary(counts, unit)}`}</title>
      <path d={barsPath(bars.slice(0, -1))} />
      <path className="bars-now" d={barsPath(bars.slice(-1))} />
    </svg>
  )
}
