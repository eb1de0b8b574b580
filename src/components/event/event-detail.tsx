import { Link } from '@tanstack/react-router'
import { IssueFacts } from '#components/issue/issue-facts.tsx'
import { IssueHeader } from '#components/issue/issue-header.tsx'
import { NowProvider } from '#components/ui/now-provider.tsx'
import type { EventView } from '#server/store/views.ts'
import { EventContent } from './event-content.tsx'
import { EventNavigation } from './event-navigation.tsx'

/** The `/events/$eventId` screen: one event in full, under the issue it belongs to. */
export function EventDetail({ view }: { view: EventView }) {
  return (
    <NowProvider now={view.now}>
      <article className="detail">
        <IssueHeader issue={view.issue} />
        <section className="detail-trend" aria-label="The issue">
          <IssueFacts issue={view.issue} />
          <Link to="/issues/$issueId" params={{ issueId: view.issue.id }} className="button">
            Open the issue
          </Link>
        </section>
        <div className="detail-main">
          <EventNavigation event={view.event} issue={view.issue} position={view.position} />
          <EventContent key={view.event.eventId} parts={view} />
        </div>
      </article>
    </NowProvider>
  )
}
