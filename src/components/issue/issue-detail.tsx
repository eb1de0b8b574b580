import { EventContent } from '#components/event/event-content.tsx'
import { EventNavigation } from '#components/event/event-navigation.tsx'
import { BarChart } from '#components/ui/bar-chart.tsx'
import { NowProvider } from '#components/ui/now-provider.tsx'
import type { IssueView } from '#server/store/views.ts'
import { IssueActions } from './issue-actions.tsx'
import type { IssueFormActions } from './issue-actions.tsx'
import { IssueFacts } from './issue-facts.tsx'
import { IssueHeader } from './issue-header.tsx'
import { TagDistributions } from './tag-distributions.tsx'

/** The `/issues/$issueId` screen: the issue, its latest event in full, and what its events have in common. */
export function IssueDetail({ view, actions }: { view: IssueView; actions: IssueFormActions }) {
  return (
    <NowProvider now={view.now}>
      <article className="detail">
        <IssueHeader issue={view.issue}>
          {view.mayTriage ? <IssueActions issue={view.issue} actions={actions} /> : null}
        </IssueHeader>
        <section className="detail-trend" aria-label="Trend">
          <IssueFacts issue={view.issue} />
          <BarChart counts={view.hours24} label="Events in 24 hours" />
        </section>
        <div className="detail-main">
          <EventNavigation event={view.event} issue={view.issue} position={view.position} />
          <EventContent key={view.event.eventId} parts={view} />
        </div>
        <aside className="detail-side">
          <TagDistributions tags={view.tags} />
        </aside>
      </article>
    </NowProvider>
  )
}
