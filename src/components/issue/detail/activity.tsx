import { personName } from '#components/issue/person-name.ts'
import type { FormAction } from '#components/ui/form/action-form.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { IssueTriageView } from '#server/console/issues/triage-views.ts'
import type { Person } from '#server/store/issues/records.ts'
import { ActivityText } from './activity-text.tsx'
import { CommentTools, NewComment, UnpostedComment } from './comment-forms.tsx'
import { CommentText } from './comment-text.tsx'

type Entry = IssueTriageView['activity'][number]

interface IssueActivityProps {
  issueId: string
  activity: readonly Entry[]
  /** The members who can be mentioned. */
  people: readonly Person[]
  action: FormAction
  canTriage: boolean
  viewerId: string
  /** The issue was removed while the page was open. */
  isRemoved: boolean
}

/** The changes of the issue by users and by the system, and its comments, in chronological order. */
export function IssueActivity({
  issueId,
  activity,
  people,
  action,
  canTriage,
  viewerId,
  isRemoved,
}: IssueActivityProps) {
  return (
    <Panel id="activity" title="Activity">
      {activity.length === 0 ? <p className="quiet">No activity yet.</p> : null}
      <ol className="activity">
        {activity.map((entry) => (
          <li key={entry.id} id={`activity-${entry.id}`} data-kind={entry.kind}>
            <p>
              <strong>
                <bdi>{entry.by === undefined ? 'Culvert' : personName(entry.by)}</bdi>
              </strong>{' '}
              <ActivityText entry={entry} />{' '}
              <a className="quiet" href={`#activity-${entry.id}`}>
                <Time at={entry.at} />
              </a>
            </p>
            {entry.kind === 'comment' && entry.comment !== undefined ? (
              <>
                <CommentText nodes={entry.comment.nodes} />
                {entry.comment.isOwn && (canTriage || isRemoved) ? (
                  <CommentTools
                    issueId={issueId}
                    commentId={entry.id}
                    text={entry.text}
                    people={people}
                    action={action}
                    isRemoved={isRemoved}
                  />
                ) : null}
              </>
            ) : null}
          </li>
        ))}
      </ol>
      {canTriage ? (
        <NewComment key={issueId} issueId={issueId} people={people} action={action} viewerId={viewerId} />
      ) : null}
      {isRemoved ? <UnpostedComment issueId={issueId} viewerId={viewerId} /> : null}
    </Panel>
  )
}
