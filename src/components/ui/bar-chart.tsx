import { barsSummary, barsWidth, hourName, layOutBars } from './bars-geometry.ts'
import { Count } from './count.tsx'
import { countedNoun } from './number-text.ts'

const box = { height: 64, barWidth: 14, gap: 2 }

/** Events per hour as a chart with its scale; each bar says its hour and count on hover. */
export function BarChart({ counts, label }: { counts: readonly number[]; label: string }) {
  const bars = layOutBars(counts, box)
  const width = barsWidth(counts.length, box)
  const step = box.barWidth + box.gap
  return (
    <figure className="bar-chart">
      <figcaption>
        <span>{label}</span>
        <span className="bar-chart-scale">
          peak <Count value={Math.max(0, ...counts)} /> an hour
        </span>
      </figcaption>
      <svg role="img" viewBox={`0 0 ${width} ${box.height}`} preserveAspectRatio="none">
        <title>{`${label}: ${barsSummary(counts)}`}</title>
        {bars.map((bar, index) => (
          <g key={index}>
            <title>{`${hourName(counts.length - 1 - index)}: ${countedNoun(counts[index] ?? 0, 'event')}`}</title>
            <rect className="bar-chart-hit" x={index * step} width={step} height={box.height} />
            <rect className="bar-chart-bar" x={bar.x} y={bar.y} width={bar.width} height={bar.height} />
          </g>
        ))}
      </svg>
      <p className="bar-chart-axis" aria-hidden="true">
        <span>{counts.length} hours ago</span>
        <span>now</span>
      </p>
    </figure>
  )
}
