import { ActionForm } from '#components/ui/action-form.tsx'
import type { FormAction } from '#components/ui/action-form.tsx'
import type { IssueStatus, IssueSummary } from '#server/store/views.ts'

const statuses: readonly { status: IssueStatus; verb: string; shortcut?: string }[] = [
  { status: 'unresolved', verb: 'Reopen' },
  { status: 'resolved', verb: 'Resolve', shortcut: 'resolve' },
  { status: 'archived', verb: 'Archive', shortcut: 'archive' },
]

/** The forms that change an issue. */
export interface IssueFormActions {
  status: FormAction
  assignee: FormAction
}

/** Resolves, archives or reopens the issue: what it is not yet, always two of the three; and assigns it. */
export function IssueActions({
  issue,
  actions,
}: {
  issue: Pick<IssueSummary, 'id' | 'status' | 'assignee'>
  actions: IssueFormActions
}) {
  const others = statuses.filter(({ status }) => status !== issue.status)
  const isAssigned = issue.assignee !== undefined
  return (
    <div className="issue-actions">
      <ActionForm action={actions.status} label="Status">
        <input type="hidden" name="issueIds" value={issue.id} />
        {others.map(({ status, verb, shortcut }, index) => (
          // By place: the button that was pressed becomes another one and keeps the focus.
          <button
            key={index}
            type="submit"
            className="button"
            name="status"
            value={status}
            data-shortcut={shortcut}
          >
            {verb}
          </button>
        ))}
      </ActionForm>
      <ActionForm action={actions.assignee} label="Assignee">
        <input type="hidden" name="issueIds" value={issue.id} />
        <button
          type="submit"
          className="button"
          name="assignee"
          value={isAssigned ? 'nobody' : 'me'}
          data-shortcut="assign"
        >
          {isAssigned ? 'Unassign' : 'Assign to me'}
        </button>
      </ActionForm>
    </div>
  )
}
