import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { Menu } from '#components/ui/menu.tsx'
import type { IssueChoicesView } from '#server/console/issues/triage-views.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'

interface AssignMenuProps {
  issue: Pick<IssueSummary, 'id' | 'assignee'>
  choices: Pick<IssueChoicesView, 'people' | 'viewerId'>
  action: FormAction
}

/** The assignee of the issue, and the possible ones. */
export function AssignMenu({ issue, choices: { people, viewerId }, action }: AssignMenuProps) {
  const { assignee } = issue
  const others = people.filter(({ userId }) => userId !== assignee?.userId && userId !== viewerId)
  return (
    <div className="split-button">
      <ActionForm action={action} label="Assignee">
        <input type="hidden" name="issueIds" value={issue.id} />
        {/* The same element for every text, so that it keeps the focus. */}
        <button
          type="submit"
          className="button"
          name="assignee"
          value={assignee?.userId === viewerId ? 'nobody' : 'me'}
          data-shortcut="assign"
        >
          {assignee?.userId === viewerId ? 'Unassign' : 'Assign to me'}
        </button>
      </ActionForm>
      <Menu label="Assign to" isLabelShown={false} icon={<Icon name="chevron-down" />}>
        <ActionForm action={action} label="Assign to">
          <input type="hidden" name="issueIds" value={issue.id} />
          {others.map(({ userId, name }) => (
            <button key={userId} type="submit" className="menu-item" name="assignee" value={userId}>
              <bdi>{name}</bdi>
            </button>
          ))}
          {assignee === undefined || assignee.userId === viewerId ? null : (
            <button type="submit" className="menu-item" name="assignee" value="nobody">
              Unassigned
            </button>
          )}
        </ActionForm>
        {others.length > 0 || assignee !== undefined ? null : (
          <p className="quiet">No other members have access.</p>
        )}
      </Menu>
    </div>
  )
}
