import { Link } from '@tanstack/react-router'
import { IssuePages } from '#components/issue-events/issue-pages.tsx'
import { IssueFacts } from '#components/issue/issue-facts.tsx'
import { IssueHeader } from '#components/issue/issue-header.tsx'
import { NowProvider } from '#components/ui/now-provider.tsx'
import type { EventView } from '#server/store/event-views.ts'
import { EventContent } from './event-content.tsx'
import { EventNavigation } from './event-navigation.tsx'
import type { EventViewSearch } from './event-view-search.ts'

/** The `/events/$eventId` screen: one event in full, under the issue it belongs to. */
export function EventDetail({ view, shown }: { view: EventView; shown: EventViewSearch }) {
  return (
    <NowProvider now={view.now}>
      <article className="detail">
        <IssueHeader issue={view.issue} />
        <IssuePages issueId={view.issue.id} />
        <section className="detail-trend" aria-label="The issue">
          <IssueFacts issue={view.issue} />
          <Link to="/issues/$issueId" params={{ issueId: view.issue.id }} className="button">
            Open the issue
          </Link>
        </section>
        <div className="detail-main">
          <EventNavigation event={view.event} issue={view.issue} position={view.position} shown={shown} />
          <EventContent key={view.event.eventId} parts={view} shown={shown} />
        </div>
      </article>
    </NowProvider>
  )
}
