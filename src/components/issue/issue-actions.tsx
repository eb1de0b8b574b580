import { ActionForm } from '#components/ui/action-form.tsx'
import type { FormAction } from '#components/ui/action-form.tsx'
import type { IssueStatus, IssueSummary } from '#server/store/views.ts'

const statuses: readonly { status: IssueStatus; verb: string; shortcut?: string }[] = [
  { status: 'unresolved', verb: 'Reopen' },
  { status: 'resolved', verb: 'Resolve', shortcut: 'resolve' },
  { status: 'archived', verb: 'Archive', shortcut: 'archive' },
]

/** Resolves, archives or reopens the issue: what it is not yet, always two of the three. */
export function IssueActions({
  issue,
  action,
}: {
  issue: Pick<IssueSummary, 'id' | 'status'>
  action: FormAction
}) {
  const others = statuses.filter(({ status }) => status !== issue.status)
  return (
    <ActionForm action={action} label="Status">
      <input type="hidden" name="issueId" value={issue.id} />
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
  )
}
