import { personName } from '#components/issue/person-name.ts'
import { ActionForm } from '#components/ui/form/action-form.tsx'
import type { FormAction } from '#components/ui/form/action-form.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { IssueTriageView } from '#server/console/issues/triage-views.ts'
import type { Person } from '#server/store/issues/records.ts'
import { ActivityText } from './activity-text.tsx'
import { CommentField } from './comment-field.tsx'
import { CommentText } from './comment-text.tsx'

type Entry = IssueTriageView['activity'][number]

/** The changes of the issue by users and by the system, and its comments, in the order of time. */
export function IssueActivity({
  issueId,
  activity,
  people,
  action,
  mayTriage,
}: {
  issueId: string
  activity: readonly Entry[]
  /** Who can be mentioned. */
  people: readonly Person[]
  action: FormAction
  mayTriage: boolean
}) {
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
                {entry.comment.isOwn && mayTriage ? (
                  <CommentEdit
                    issueId={issueId}
                    commentId={entry.id}
                    text={entry.text}
                    people={people}
                    action={action}
                  />
                ) : null}
              </>
            ) : null}
          </li>
        ))}
      </ol>
      {mayTriage ? (
        <NewComment key={countOwn(activity)} issueId={issueId} people={people} action={action} />
      ) : null}
    </Panel>
  )
}

/** Other activity must not clear the field while the user is writing. */
function countOwn(activity: readonly Entry[]): number {
  return activity.filter((entry) => entry.comment?.isOwn === true).length
}

/** Cleared once the comment appears above it. */
function NewComment({
  issueId,
  people,
  action,
}: {
  issueId: string
  people: readonly Person[]
  action: FormAction
}) {
  return (
    <ActionForm action={action} label="Comment">
      <input type="hidden" name="issueId" value={issueId} />
      <CommentField people={people} rows={3} placeholder="Add a comment (Markdown, @name mentions)" />
      <button type="submit" className="button">
        Comment
      </button>
    </ActionForm>
  )
}

function CommentEdit({
  issueId,
  commentId,
  text,
  people,
  action,
}: {
  issueId: string
  commentId: string
  text: string
  people: readonly Person[]
  action: FormAction
}) {
  return (
    <details className="comment-edit">
      <summary>Edit</summary>
      <ActionForm action={action} label="Edit comment">
        <input type="hidden" name="issueId" value={issueId} />
        <input type="hidden" name="commentId" value={commentId} />
        <CommentField key={text} people={people} rows={4} defaultValue={text} />
        <button type="submit" className="button" name="does" value="save">
          Save
        </button>
        <button type="submit" className="button" data-tone="danger" name="does" value="delete">
          Delete
        </button>
      </ActionForm>
    </details>
  )
}
