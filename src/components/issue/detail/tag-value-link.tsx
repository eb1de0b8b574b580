import { Link } from '@tanstack/react-router'
import { tagSearch } from '#components/issue-events/issue-events-search.ts'
import { VersionText } from '#components/ui/version-text.tsx'

/** Under this value the events of all values past the limit are counted. */
const otherValue = '(other)'

/** A value of a tag, which leads to the events of the issue that have it. */
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
