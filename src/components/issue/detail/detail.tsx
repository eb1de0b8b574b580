import { Suspense, type ReactNode } from 'react'
import { EventContent } from '#components/event/event-content.tsx'
import { EventNavigation } from '#components/event/event-navigation.tsx'
import type { IssueViewSearch } from '#components/event/event-view-search.ts'
import { IssuePages } from '#components/issue-events/issue-pages.tsx'
import { Later } from '#components/ui/time/later.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { IssueRemoval, IssueView } from '#server/console/issues/views.ts'
import { IssueActions, type IssueFormActions } from './actions.tsx'
import { IssueActivity } from './activity.tsx'
import { CodeOwnersPanel } from './code-owners.tsx'
import { IssueCounts, IssueFacts } from './facts.tsx'
import { IssueHeader } from './header.tsx'
import { IssueLinks } from './links.tsx'
import { IssueParts } from './parts.tsx'
import { SimilarIssues } from './similar-issues.tsx'
import { SuspectCommits } from './suspect-commits.tsx'
import { TagDistributions } from './tag-distributions.tsx'
import { IssueTrend } from './trend.tsx'

interface IssueDetailProps {
  view: IssueView
  /** Set if the issue was merged or not found while the page was open. */
  removal: IssueRemoval | undefined
  /** The notice of late counts. */
  late: ReactNode
  shown: IssueViewSearch
  actions: IssueFormActions
}

/** The `/issues/$issueId` screen: the issue, its latest event in full, and the tags of its events. */
export function IssueDetail({ view, removal, late, shown, actions }: IssueDetailProps) {
  const canTriage = view.canTriage && removal === undefined
  const { trend: _trend, ...eventShown } = shown
  return (
    <NowProvider now={view.now}>
      <article className="detail">
        <IssueHeader issue={view.issue} removal={removal}>
          {canTriage ? (
            <IssueActions issue={view.issue} choices={view.triage} similar={view.similar} actions={actions} />
          ) : null}
        </IssueHeader>
        <IssuePages issueId={view.issue.id} current="issue" />
        <IssueCounts issue={view.issue} />
        <div className="detail-main">
          <EventNavigation
            event={view.event}
            issue={view.issue}
            position={view.position}
            shown={eventShown}
          />
          <EventContent key={view.event.eventId} parts={view} shown={shown} />
        </div>
        <section className="detail-trend" aria-label="Trend">
          <IssueFacts issue={view.issue} sentMessages={view.sentMessages} />
          <p className="late-counts" role="status">
            <Suspense>{late}</Suspense>
          </p>
          <IssueTrend
            issueId={view.issue.id}
            projectSlug={view.issue.project.slug}
            trend={view.trend}
            releases={view.releases}
            shown={shown}
          />
        </section>
        <aside className="detail-side">
          <CodeOwnersPanel
            issue={view.issue}
            found={view.owners}
            action={canTriage ? actions.assignee : undefined}
          />
          <SuspectCommits
            issue={view.issue}
            suspects={view.suspects}
            people={view.triage.people}
            action={canTriage ? actions.assignee : undefined}
          />
          <IssueLinks
            issueId={view.issue.id}
            links={view.links}
            tracker={view.tracker}
            action={canTriage ? actions.link : undefined}
          />
          <IssueActivity
            issueId={view.issue.id}
            activity={view.triage.activity}
            people={view.triage.people}
            action={actions.comment}
            canTriage={canTriage}
            viewerId={view.triage.viewerId}
            isRemoved={removal !== undefined}
          />
          <Later keepsRoom>
            <TagDistributions issueId={view.issue.id} tags={view.tags} />
            <IssueParts
              issueId={view.issue.id}
              parts={view.triage.parts}
              action={actions.unmerge}
              canTriage={canTriage}
            />
            <SimilarIssues issues={view.similar} />
          </Later>
        </aside>
      </article>
    </NowProvider>
  )
}
