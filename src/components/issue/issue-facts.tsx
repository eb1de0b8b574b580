import { Count } from '#components/ui/count.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import type { Definition } from '#components/ui/definition-list.tsx'
import { Time } from '#components/ui/time.tsx'
import type { IssueSummary } from '#server/store/views.ts'

/** How often, how many, since when and in which releases. */
export function IssueFacts({ issue }: { issue: IssueSummary }) {
  const facts: Definition[] = [
    ['Events', <Count value={issue.eventCount} />],
    ['Users', <Count value={issue.userCount} />],
    ['Last seen', <Time at={issue.lastSeenAt} />],
    ['First seen', <Time at={issue.firstSeenAt} />],
  ]
  if (issue.firstRelease !== undefined) facts.push(['First release', <bdi>{issue.firstRelease}</bdi>])
  if (issue.lastRelease !== undefined) facts.push(['Last release', <bdi>{issue.lastRelease}</bdi>])
  return <DefinitionList layout="facts" items={facts} />
}
