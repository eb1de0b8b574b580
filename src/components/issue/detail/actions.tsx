import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import type { IssueChoicesView } from '#server/console/issues/triage-views.ts'
import type { IssueStatus, IssueSummary, SimilarIssue } from '#server/store/issues/records.ts'
import { AssignMenu } from './assign-menu.tsx'
import { MoreMenu } from './more-menu.tsx'
import { ArchiveMenu, ResolveMenu } from './status-menus.tsx'

const statuses: readonly { status: IssueStatus; verb: string; shortcut?: string }[] = [
  { status: 'unresolved', verb: 'Reopen' },
  { status: 'resolved', verb: 'Resolve', shortcut: 'resolve' },
  { status: 'archived', verb: 'Archive', shortcut: 'archive' },
]

/** The forms that change an issue. */
export interface IssueFormActions {
  status: FormAction
  assignee: FormAction
  merge: FormAction
  unmerge: FormAction
  delete: FormAction
  comment: FormAction
  link: FormAction
}

interface IssueActionsProps {
  issue: IssueSummary
  choices: IssueChoicesView
  similar: SimilarIssue[]
  actions: IssueFormActions
}

/** The actions of an issue: the two of resolve, archive and reopen that change its status, and others. */
export function IssueActions({ issue, choices, similar, actions }: IssueActionsProps) {
  const others = statuses.filter(({ status }) => status !== issue.status)
  return (
    <div className="issue-actions">
      {others.map(({ status, verb, shortcut }, index) => (
        // Keyed by position: the pressed button becomes another one and keeps the focus.
        <div key={index} className="split-button">
          <ActionForm action={actions.status} label={`${verb} this issue`}>
            <input type="hidden" name="issueIds" value={issue.id} />
            <button
              type="submit"
              className="button"
              name="status"
              value={status}
              data-shortcut={shortcut}
              data-tone={status === 'resolved' ? 'primary' : undefined}
            >
              {verb}
            </button>
          </ActionForm>
          {status === 'resolved' ? (
            <ResolveMenu issueId={issue.id} action={actions.status} releases={choices.releases} />
          ) : null}
          {status === 'archived' ? <ArchiveMenu issueId={issue.id} action={actions.status} /> : null}
        </div>
      ))}
      <AssignMenu issue={issue} choices={choices} action={actions.assignee} />
      <MoreMenu issue={issue} similar={similar} canDelete={choices.canDelete} actions={actions} />
    </div>
  )
}
