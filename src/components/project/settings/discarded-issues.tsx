import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { DiscardedHash } from '#server/store/triage/records.ts'

/**
 * Issues that were deleted with all future events, each with a button to allow it again. Renders nothing if
 * there are none.
 */
export function DiscardedIssues({
  discarded,
  canConfigure,
}: {
  discarded: readonly DiscardedHash[]
  canConfigure: boolean
}) {
  if (discarded.length === 0) return null
  return (
    <Panel id="discarded" title="Discarded issues">
      <p className="panel-text quiet">
        New events of these issues are dropped. Allow an issue to accept its events again, as a new issue.
      </p>
      <ul className="issue-parts">
        {discarded.map((each) => (
          <DiscardedIssue key={each.hash} discarded={each} canConfigure={canConfigure} />
        ))}
      </ul>
    </Panel>
  )
}

function DiscardedIssue({
  discarded: { hash, title, subtitle, discardedAt, userName },
  canConfigure,
}: {
  discarded: DiscardedHash
  canConfigure: boolean
}) {
  const allow = useForm('let-in', { of: { hash } })
  return (
    <li>
      <span>
        <bdi>{subtitle === '' ? title : `${title}: ${subtitle}`}</bdi>
        <span className="quiet">
          by <bdi>{userName}</bdi>, <Time at={discardedAt} />
        </span>
      </span>
      {canConfigure ? (
        <Form form={allow} submitLabel="Allow" submitName={`Allow ${title} again`} tone="plain" />
      ) : null}
    </li>
  )
}
