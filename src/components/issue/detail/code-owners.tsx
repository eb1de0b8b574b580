import { OwnerName } from '#components/issue/owner-name.tsx'
import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ResolvedOwners } from '#server/console/issues/views.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'

interface CodeOwnersPanelProps {
  issue: Pick<IssueSummary, 'id' | 'assignee'>
  found: ResolvedOwners | undefined
  action: FormAction | undefined
}

/**
 * Code owners in the stack trace; renders nothing if there are none. With an action, the issue can be
 * assigned to them.
 */
export function CodeOwnersPanel({ issue, found, action }: CodeOwnersPanelProps) {
  if (found === undefined) return null
  const { owners, source, line, text } = found
  return (
    <Panel id="owners" title="Owners">
      <ul className="similar-issues">
        {owners.map((owner) => (
          <li key={owner.name}>
            <span>
              <OwnerName owner={owner} />
            </span>
            {action === undefined ||
            owner.user === undefined ||
            owner.user.userId === issue.assignee?.userId ? null : (
              <ActionForm action={action} label="Assign to the owner">
                <input type="hidden" name="issueIds" value={issue.id} />
                <button type="submit" className="button" name="assignee" value={owner.user.userId}>
                  Assign to <bdi>{owner.user.name}</bdi>
                </button>
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
      <p className="quiet">
        {source === 'rules' ? 'Ownership rules' : 'CODEOWNERS'}, line {line}:{' '}
        <code>
          <bdi>{text.split(/\s/, 1)[0]}</bdi>
        </code>
      </p>
    </Panel>
  )
}
