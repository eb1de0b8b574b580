import { StepTable } from '#components/ui/chart/step-table.tsx'
import { stepText } from '#components/ui/chart/step-text.ts'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { useTimeZone } from '#components/ui/time/time-zone.tsx'
import { exactCount } from '#numbers/number-text.ts'
import type { DurationStep, TransactionView } from '#server/console/performance/views.ts'
import { columnDuration, figureDuration, shareText } from './figure-text.ts'

const height = 96
const barWidth = 14
const step = barWidth + 2

/** The 95th percentile over time as bars, with the median in them, and the numbers as a table. */
export function TransactionDurations({ view }: { view: TransactionView }) {
  const { steps, stepMs, stepCount, since } = view
  const zone = useTimeZone()
  const peak = Math.max(1e-6, ...steps.map(({ p95 }) => p95))
  const width = stepCount * step
  const indexOf = ({ at }: DurationStep) => Math.round((at - since) / stepMs)
  const byIndex = new Map(steps.map((each) => [indexOf(each), each]))
  return (
    <figure className="duration-figure">
      <figcaption>
        <span className="duration-mark" data-quantile="95">
          p95
        </span>
        <span className="duration-mark" data-quantile="50">
          p50
        </span>
        <span className="figure-meta">highest p95 {figureDuration(peak)}</span>
      </figcaption>
      <svg role="img" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
        <title>{`Durations over time: highest p95 ${figureDuration(peak)}`}</title>
        {[...byIndex].map(([index, { p50, p95, at }]) => (
          <g key={index}>
            <title>{`${stepText(at, stepMs, zone)}: p95 ${figureDuration(p95)}, p50 ${figureDuration(p50)}`}</title>
            <DurationBarShape index={index} share={p95 / peak} quantile="95" />
            <DurationBarShape index={index} share={p50 / peak} quantile="50" />
          </g>
        ))}
      </svg>
      <p className="step-chart-axis" aria-hidden="true">
        <span>{stepText(since, stepMs, zone)}</span>
        <span>now</span>
      </p>
      <Disclosure summary="View as table">
        <StepTable
          caption="Durations over time"
          since={since}
          stepMs={stepMs}
          steps={[...byIndex.keys()]}
          columns={[
            { name: 'Count', textOf: (index) => exactCount(byIndex.get(index)?.count ?? 0) },
            { name: 'p50', textOf: (index) => columnDuration(byIndex.get(index)?.p50 ?? 0) },
            { name: 'p75', textOf: (index) => columnDuration(byIndex.get(index)?.p75 ?? 0) },
            { name: 'p95', textOf: (index) => columnDuration(byIndex.get(index)?.p95 ?? 0) },
            { name: 'Failed', textOf: (index) => shareText(byIndex.get(index)?.failureShare ?? 0) },
          ]}
        />
      </Disclosure>
    </figure>
  )
}

interface DurationBarShapeProps {
  index: number
  share: number
  quantile: '50' | '95'
}

function DurationBarShape({ index, share, quantile }: DurationBarShapeProps) {
  const barHeight = Math.max(1, share * height)
  return (
    <rect
      data-quantile={quantile}
      x={index * step}
      y={height - barHeight}
      width={barWidth}
      height={barHeight}
    />
  )
}
