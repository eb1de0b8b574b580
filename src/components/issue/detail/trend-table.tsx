import { Link } from '#components/ui/link.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { useTimeZone } from '#components/ui/time/time-zone.tsx'
import { exactCount } from '#numbers/number-text.ts'
import type { ReleaseMark, TrendSeries } from '#server/store/issues/records.ts'
import { releasePositions, stepLabel, stepSearch } from './trend-steps.ts'

interface TrendTableProps {
  issueId: string
  projectSlug: string
  series: TrendSeries
  releases: readonly ReleaseMark[]
}

/** The numbers behind the bars, newest first; intervals without events and without a release are omitted. */
export function TrendTable({ issueId, projectSlug, series, releases }: TrendTableProps) {
  const zone = useTimeZone()
  const versions = new Map(releasePositions(series, releases).map((each) => [each.index, each.versions]))
  const steps = [...series.counts.keys()].filter((index) => series.counts[index] !== 0 || versions.has(index))
  if (steps.length === 0) return <p className="quiet">No events in this period.</p>
  return (
    <table className="trend-table">
      <TableHead columns={['From', 'Events', 'New releases']} />
      <tbody>
        {steps.toReversed().map((index) => (
          <tr key={index}>
            <th scope="row">
              <Link
                to="/issues/$issueId/events"
                params={{ issueId }}
                search={stepSearch(series, index)}
                activeOptions={{ exact: true }}
              >
                {stepLabel(series, index, zone)}
              </Link>
            </th>
            <td>{exactCount(series.counts[index] ?? 0)}</td>
            <td>
              {versions.get(index)?.map((version) => (
                <Link
                  key={version}
                  to="/releases/$version"
                  params={{ version }}
                  search={{ project: projectSlug }}
                  className="trend-version"
                >
                  <bdi>{version}</bdi>
                </Link>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
