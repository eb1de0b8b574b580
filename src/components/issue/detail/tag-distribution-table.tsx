import { Count } from '#components/ui/count.tsx'
import { Link } from '#components/ui/link.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun, percentText } from '#numbers/number-text.ts'
import type { TagDistribution } from '#server/store/issues/records.ts'
import { TagValueLink } from './tag-value-link.tsx'

/** Values of one tag: share, count and last occurrence; each links to its events. */
export function TagDistributionTable({ issueId, tag }: { issueId: string; tag: TagDistribution }) {
  const restCount = tag.valueCount - tag.values.length
  return (
    <table className="tag-table">
      <caption>
        <bdi>{tag.key}</bdi>
        {restCount > 0 ? (
          <Link
            to="/issues/$issueId/tags"
            params={{ issueId }}
            search={{ key: tag.key }}
            activeOptions={{ exact: true }}
          >
            {countedNoun(restCount, 'more value')}
          </Link>
        ) : null}
      </caption>
      <TableHead
        columns={['Value', 'Share', 'Events', 'Last seen'].map((name) => ({ name, isNameHidden: true }))}
      />
      <tbody>
        {tag.values.map((value) => (
          <tr key={value.value}>
            <th scope="row" title={value.value}>
              <TagValueLink issueId={issueId} tagKey={tag.key} value={value.value} />
              <svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
                <rect width={shareOf(value.eventCount, tag.eventCount)} height="3" />
              </svg>
            </th>
            <td>{percentText(value.eventCount, tag.eventCount)}</td>
            <td>
              <Count value={value.eventCount} />
            </td>
            <td>
              <Time at={value.lastSeenAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function shareOf(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(100, Math.max(1, Math.round((part / whole) * 100)))
}
