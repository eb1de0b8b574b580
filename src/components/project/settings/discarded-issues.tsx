import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { DiscardedHash } from '#server/console/project-views.ts'

/** Issues that were deleted with all that comes after them, each with the way back; nothing where there are none. */
export function DiscardedIssues({
  discarded,
  mayConfigure,
}: {
  discarded: readonly DiscardedHash[]
  mayConfigure: boolean
}) {
  if (discarded.length === 0) return null
  return (
    <Panel id="discarded" title="Discarded issues">
      <p className="panel-text quiet">
        Their events are dropped when they come. Let in again, the next one opens a new issue.
      </p>
      <ul className="issue-parts">
        {discarded.map(({ hash, title, subtitle, discardedAt, userName }) => (
          <li key={hash}>
            <span>
              <bdi>{subtitle === '' ? title : `${title}: ${subtitle}`}</bdi>
              <span className="quiet">
                by <bdi>{userName}</bdi>, <Time at={discardedAt} />
              </span>
            </span>
            {mayConfigure ? (
              <form method="post">
                <input type="hidden" name="action" value="let-in" />
                <input type="hidden" name="hash" value={hash} />
                <button type="submit" className="button" aria-label={`Let ${title} in again`}>
                  Let in again
                </button>
              </form>
            ) : null}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
