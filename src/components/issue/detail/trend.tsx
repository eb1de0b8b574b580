import type { IssueViewSearch } from '#components/event/event-view-search.ts'
import { barsPath, layOutBars } from '#components/ui/chart/bars-geometry.ts'
import { ChartPlot } from '#components/ui/chart/chart-plot.tsx'
import { Count } from '#components/ui/count.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { Link } from '#components/ui/link.tsx'
import { Later } from '#components/ui/time/later.tsx'
import { useTimeZone } from '#components/ui/time/time-zone.tsx'
import { ViewLink } from '#components/ui/view-link.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { IssueHistograms, ReleaseMark, TrendPeriod, TrendSeries } from '#server/store/issues/records.ts'
import { releasePositions, stepLabel, stepSearch, trendSummary } from './trend-steps.ts'
import { TrendTable } from './trend-table.tsx'

const periods: readonly { period: TrendPeriod; label: string; past: string; step: string }[] = [
  { period: '24h', label: '24 h', past: '24 hours ago', step: 'an hour' },
  { period: '14d', label: '14 d', past: '14 days ago', step: 'in 6 hours' },
  { period: '90d', label: '90 d', past: '90 days ago', step: 'a day' },
]

const box = { height: 64, barWidth: 8, gap: 1 }
const stepWidth = box.barWidth + box.gap

interface IssueTrendProps {
  issueId: string
  projectSlug: string
  trend: IssueHistograms
  releases: readonly ReleaseMark[]
  shown: IssueViewSearch
}

/** An issue's events over time. Each bar links to its events; lines mark the project's releases. */
export function IssueTrend({ issueId, projectSlug, trend, releases, shown }: IssueTrendProps) {
  const zone = useTimeZone()
  const chosen = periods.find(({ period }) => period === shown.trend) ?? periods[0]
  if (chosen === undefined) return null
  const series = trend[chosen.period]
  const peak = Math.max(0, ...series.counts)
  return (
    <figure className="trend" id="trend">
      <figcaption>
        <LinkTabs label="Period of the trend">
          {periods.map(({ period, label }) => (
            <ViewLink
              key={period}
              search={{ ...shown, trend: period === '24h' ? undefined : period }}
              part="trend"
              isCurrent={period === chosen.period}
            >
              {label}
            </ViewLink>
          ))}
        </LinkTabs>
        <span className="trend-scale">
          peak <Count value={peak} /> {chosen.step}
        </span>
      </figcaption>
      <p className="visually-hidden">{trendSummary(series, zone)}</p>
      <ChartPlot peak={peak}>
        <TrendBars issueId={issueId} series={series} releases={releases} />
      </ChartPlot>
      <p className="trend-axis" aria-hidden="true">
        <span>{chosen.past}</span>
        <span>now</span>
      </p>
      <Disclosure summary={releases.length === 0 ? 'View as table' : 'View as table, with releases'}>
        <TrendTable issueId={issueId} projectSlug={projectSlug} series={series} releases={releases} />
      </Disclosure>
    </figure>
  )
}

/** For pointer input. The table has the same links for keyboards and screen readers. */
function TrendBars(props: { issueId: string; series: TrendSeries; releases: readonly ReleaseMark[] }) {
  const { counts } = props.series
  return (
    <svg
      className="trend-bars"
      viewBox={`0 0 ${counts.length * stepWidth} ${box.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={barsPath(layOutBars(counts, box))} />
      <Later>
        <TrendSteps {...props} />
      </Later>
    </svg>
  )
}

interface TrendStepsProps {
  issueId: string
  series: TrendSeries
  releases: readonly ReleaseMark[]
}

/** The hover areas of the bars: text of each interval, a link if it has events, starts of releases. */
function TrendSteps({ issueId, series, releases }: TrendStepsProps) {
  const zone = useTimeZone()
  return (
    <>
      {series.counts.map((count, index) => {
        const step = (
          <>
            <title>{`${stepLabel(series, index, zone)}: ${countedNoun(count, 'event')}`}</title>
            <rect className="trend-hit" x={index * stepWidth} width={stepWidth} height={box.height} />
          </>
        )
        if (count === 0) return <g key={index}>{step}</g>
        return (
          <Link
            key={index}
            to="/issues/$issueId/events"
            params={{ issueId }}
            search={stepSearch(series, index)}
            tabIndex={-1}
          >
            {step}
          </Link>
        )
      })}
      {releasePositions(series, releases).map(({ index, versions }) => (
        <g key={index} className="trend-release">
          <title>{`First seen: ${versions.join(', ')}`}</title>
          <rect className="trend-hit" x={index * stepWidth - 3} width={7} height={box.height} />
          <line x1={index * stepWidth} x2={index * stepWidth} y2={box.height} />
        </g>
      ))}
    </>
  )
}
