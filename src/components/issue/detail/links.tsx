import { Disclosure } from '#components/ui/disclosure.tsx'
import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { IssueTrackerView } from '#server/console/issues/views.ts'

/**
 * The linked issues in trackers; renders nothing without a link or a tracker. With an action, one can be
 * created or linked.
 */
export function IssueLinks({
  issueId,
  links,
  tracker,
  action,
}: IssueTrackerView & { issueId: string; action: FormAction | undefined }) {
  if (links.length === 0 && (tracker === undefined || action === undefined)) return null
  return (
    <Panel id="links" title="Linked issues">
      {links.length === 0 ? null : (
        <ul className="similar-issues">
          {links.map(({ url, name, isClosed }) => (
            <li key={url}>
              <span>
                <a href={url} rel="noreferrer">
                  <bdi>{name}</bdi>
                </a>{' '}
                <small>{isClosed ? 'closed' : 'open'}</small>
              </span>
              {action === undefined ? null : (
                <ActionForm action={action} label={`Remove the link to ${name}`}>
                  <input type="hidden" name="issueId" value={issueId} />
                  <input type="hidden" name="url" value={url} />
                  <button
                    type="submit"
                    className="button"
                    name="does"
                    value="unlink"
                    aria-label={`Remove the link to ${name}`}
                  >
                    Remove
                  </button>
                </ActionForm>
              )}
            </li>
          ))}
        </ul>
      )}
      {action === undefined || tracker === undefined ? null : (
        <NewIssue issueId={issueId} tracker={tracker} action={action} />
      )}
      {action === undefined ? null : (
        <Disclosure summary="Link an issue">
          <ActionForm action={action} label="Link an issue of a tracker">
            <input type="hidden" name="issueId" value={issueId} />
            <label className="menu-field">
              Issue URL
              <input
                name="url"
                type="url"
                required
                maxLength={500}
                autoComplete="off"
                placeholder="https://github.com/acme/shop/issues/12"
              />
            </label>
            <button type="submit" className="button" name="does" value="link">
              Link
            </button>
          </ActionForm>
        </Disclosure>
      )}
    </Panel>
  )
}

interface NewIssueProps {
  issueId: string
  tracker: NonNullable<IssueTrackerView['tracker']>
  action: FormAction
}

/** Opens the tracker's form, or creates the issue directly with a token. */
function NewIssue({ issueId, tracker: { name, newUrl }, action }: NewIssueProps) {
  if (newUrl !== undefined)
    return (
      <p className="panel-text">
        <a className="button" href={newUrl} rel="noreferrer" target="_blank">
          Create issue in {name}
        </a>
      </p>
    )
  return (
    <ActionForm action={action} label={`Create an issue in ${name}`}>
      <input type="hidden" name="issueId" value={issueId} />
      <button type="submit" className="button" name="does" value="create">
        Create issue in {name}
      </button>
    </ActionForm>
  )
}
