import { tagSearch } from '#components/issue-events/issue-events-search.ts'
import { Link } from '#components/ui/link.tsx'
import { VersionText } from '#components/ui/version-text.tsx'

/** The events of all values beyond the limit are counted under this value. */
const otherValue = '(other)'

/** A tag value, linked to the events of the issue with that value. */
export function TagValueLink({ issueId, tagKey, value }: { issueId: string; tagKey: string; value: string }) {
  if (value === '' || value === otherValue) return <bdi>{value === '' ? '(empty)' : value}</bdi>
  return (
    <Link
      to="/issues/$issueId/events"
      params={{ issueId }}
      search={tagSearch(tagKey, value)}
      activeOptions={{ exact: true }}
    >
      {tagKey === 'release' ? <VersionText version={value} /> : <bdi>{value}</bdi>}
    </Link>
  )
}
