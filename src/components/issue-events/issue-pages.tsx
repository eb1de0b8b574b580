import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { Link } from '#components/ui/link.tsx'

/** The pages of one issue. The page of an event is below that of its events. */
export function IssuePages({
  issueId,
  current,
}: {
  issueId: string
  current: 'issue' | 'events' | 'event' | 'tags' | 'alerts'
}) {
  const mark = (page: typeof current) => (page === current ? 'page' : undefined)
  const exact = { exact: true, includeSearch: false }
  return (
    <div className="issue-pages">
      <LinkTabs label="Issue sections">
        <Link to="/issues/$issueId" params={{ issueId }} activeOptions={exact} aria-current={mark('issue')}>
          Issue
        </Link>
        <Link
          to="/issues/$issueId/events"
          params={{ issueId }}
          search={{}}
          activeOptions={exact}
          aria-current={current === 'event' ? 'true' : mark('events')}
        >
          Events
        </Link>
        <Link
          to="/issues/$issueId/tags"
          params={{ issueId }}
          search={{}}
          activeOptions={exact}
          aria-current={mark('tags')}
        >
          Tags
        </Link>
        <Link
          to="/issues/$issueId/alerts"
          params={{ issueId }}
          activeOptions={exact}
          aria-current={mark('alerts')}
        >
          Alerts
        </Link>
      </LinkTabs>
    </div>
  )
}
