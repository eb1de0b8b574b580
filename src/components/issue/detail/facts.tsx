import { Fragment } from 'react'
import { Count } from '#components/ui/count.tsx'
import { DefinitionList, type Definition } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { VersionText } from '#components/ui/version-text.tsx'
import type { SentMessage } from '#server/store/alerts/records.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'

/** Counts, and the first and last occurrence: what a reader looks for first, also on a phone. */
export function IssueCounts({ issue }: { issue: IssueSummary }) {
  return (
    <div className="detail-facts">
      <DefinitionList
        layout="facts"
        items={[
          { term: 'Events', description: <EventCount issue={issue} /> },
          { term: 'Users', description: <Count value={issue.userCount} /> },
          { term: 'Last seen', description: <Time at={issue.lastSeenAt} /> },
          { term: 'First seen', description: <Time at={issue.firstSeenAt} /> },
        ]}
      />
    </div>
  )
}

/** Releases, and the last alerts. Renders nothing if there are none. */
export function IssueFacts({
  issue,
  sentMessages,
}: {
  issue: IssueSummary
  sentMessages?: readonly SentMessage[]
}) {
  const facts: Definition[] = []
  if (issue.firstRelease !== undefined)
    facts.push({ term: 'First release', description: <ReleaseLink issue={issue} of={issue.firstRelease} /> })
  if (issue.lastRelease !== undefined)
    facts.push({ term: 'Last release', description: <ReleaseLink issue={issue} of={issue.lastRelease} /> })
  if (sentMessages !== undefined && sentMessages.length > 0)
    facts.push({
      term: 'Last alerts',
      description: <SentMessages issueId={issue.id} messages={sentMessages} />,
    })
  return facts.length === 0 ? null : <DefinitionList layout="facts" items={facts} />
}

/** "#ops 2 min ago, Ada by email 2 min ago"; the exact times are titles. */
function SentMessages({ issueId, messages }: { issueId: string; messages: readonly SentMessage[] }) {
  return (
    <Link className="sent-messages" to="/issues/$issueId/alerts" params={{ issueId }}>
      {messages.map(({ id, receiver, isMail, at }, index) => (
        <Fragment key={id}>
          {index === 0 ? null : ', '}
          <bdi>{receiver}</bdi>
          {isMail ? ' by email ' : ' '}
          <Time at={at} />
        </Fragment>
      ))}
    </Link>
  )
}

function ReleaseLink({ issue: { project }, of: version }: { issue: IssueSummary; of: string }) {
  return (
    <Link to="/releases/$version" params={{ version }} search={{ project: project.slug }}>
      <VersionText version={version} />
    </Link>
  )
}

/** `12,403, 500 kept`: retention deletes old events, but they are still counted. */
function EventCount({ issue: { eventCount, keptEventCount } }: { issue: IssueSummary }) {
  if (keptEventCount >= eventCount) return <Count value={eventCount} />
  return (
    <>
      <Count value={eventCount} />, <Count value={keptEventCount} /> kept
    </>
  )
}
