import { IssuePages } from '#components/issue-events/issue-pages.tsx'
import { IssueActions, type IssueFormActions } from '#components/issue/detail/actions.tsx'
import { IssueCounts, IssueFacts } from '#components/issue/detail/facts.tsx'
import { IssueHeader } from '#components/issue/detail/header.tsx'
import { TagDistributions } from '#components/issue/detail/tag-distributions.tsx'
import { Later } from '#components/ui/time/later.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { EventPageView } from '#server/console/events/views.ts'
import type { IssueRemoval } from '#server/console/issues/views.ts'
import { EventContent } from './event-content.tsx'
import { EventNavigation } from './event-navigation.tsx'
import type { EventViewSearch } from './event-view-search.ts'

interface EventDetailProps {
  view: EventPageView
  /** Set if the issue was merged or not found while the page was open. */
  removal: IssueRemoval | undefined
  shown: EventViewSearch
  actions: IssueFormActions
}

/** The `/events/$eventId` screen: one event in full, alongside the facts and tags of its issue. */
export function EventDetail({ view, removal, shown, actions }: EventDetailProps) {
  return (
    <NowProvider now={view.now}>
      <article className="detail">
        <IssueHeader issue={view.issue} removal={removal}>
          {view.canTriage ? (
            <IssueActions issue={view.issue} choices={view.choices} similar={[]} actions={actions} />
          ) : null}
        </IssueHeader>
        <IssuePages issueId={view.issue.id} current="event" />
        <IssueCounts issue={view.issue} />
        <div className="detail-main">
          <EventNavigation event={view.event} issue={view.issue} position={view.position} shown={shown} />
          <EventContent key={view.event.eventId} parts={view} shown={shown} />
        </div>
        <section className="detail-trend" aria-label="Issue">
          <IssueFacts issue={view.issue} />
        </section>
        <aside className="detail-side">
          <Later keepsRoom>
            <TagDistributions issueId={view.issue.id} tags={view.tags} />
          </Later>
        </aside>
      </article>
    </NowProvider>
  )
}
