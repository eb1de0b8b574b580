import { issueLabel } from '#components/issue/issue-label.ts'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { Menu } from '#components/ui/menu.tsx'
import { exactCount } from '#numbers/number-text.ts'
import type { IssueSummary, SimilarIssue } from '#server/store/issues/records.ts'

interface MoreMenuProps {
  issue: IssueSummary
  similar: SimilarIssue[]
  canDelete: boolean
  actions: { merge: FormAction; delete: FormAction }
}

/** Merging, deleting, and the link to the issue. */
export function MoreMenu({ issue, similar, canDelete, actions }: MoreMenuProps) {
  return (
    <Menu label="More" icon={<Icon name="ellipsis" />}>
      <p className="menu-line">
        <code>{issue.shortId}</code> <CopyButton text={`/issues/${issue.id}`} label="Copy link" isPath />
      </p>
      <ActionForm action={actions.merge} label="Merge another issue into this one">
        <input type="hidden" name="issueIds" value={issue.id} />
        <input type="hidden" name="intoId" value={issue.id} />
        <label className="menu-field">
          Merge another issue into this one
          <input name="other" placeholder="SHOP-1A, or a link" required maxLength={500} autoComplete="off" />
        </label>
        <button type="submit" className="button">
          Merge
        </button>
      </ActionForm>
      {similar.length === 0 ? null : (
        <ActionForm action={actions.merge} label="Merge a similar issue into this one">
          <input type="hidden" name="issueIds" value={issue.id} />
          <input type="hidden" name="intoId" value={issue.id} />
          {similar.map(({ id, shortId, ...other }) => (
            <button key={id} type="submit" className="menu-item" name="issueIds" value={id}>
              Merge <bdi>{issueLabel(other)}</bdi>
              <small>{shortId}, similar to this one</small>
            </button>
          ))}
        </ActionForm>
      )}
      {canDelete ? <DeleteForm issue={issue} action={actions.delete} /> : null}
    </Menu>
  )
}

/** Describes the deletion; disabled until the checkbox is checked, because it cannot be undone. */
function DeleteForm({ issue, action }: { issue: IssueSummary; action: FormAction }) {
  const kept = exactCount(issue.keptEventCount)
  return (
    <details className="menu-details">
      <summary>Delete…</summary>
      <ActionForm action={action} label="Delete issue">
        <input type="hidden" name="issueIds" value={issue.id} />
        <label className="menu-check">
          <input type="checkbox" required /> Delete {issue.shortId} and{' '}
          {issue.keptEventCount === 1 ? 'its event' : `its ${kept} events`}, with attachments and comments.
          This can’t be undone.
        </label>
        <button type="submit" className="button" data-tone="danger" name="discards" value="no">
          Delete
        </button>
        <button type="submit" className="button" data-tone="danger" name="discards" value="yes">
          Delete and ignore future events
        </button>
      </ActionForm>
    </details>
  )
}
