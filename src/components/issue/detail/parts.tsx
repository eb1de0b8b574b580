import { issueLabel } from '#components/issue/issue-label.ts'
import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { IssuePart } from '#server/store/triage/records.ts'

interface IssuePartsProps {
  issueId: string
  parts: readonly IssuePart[]
  action: FormAction
  canTriage: boolean
}

/** The issues merged into the issue, each with a button to unmerge. Renders nothing if there are none. */
export function IssueParts({ issueId, parts, action, canTriage }: IssuePartsProps) {
  if (parts.length === 0) return null
  return (
    <Panel id="merged" title="Merged issues">
      <ActionForm action={action} label="Merged issues">
        <input type="hidden" name="issueIds" value={issueId} />
        <ul className="issue-parts">
          {parts.map((part) => (
            <li key={part.id}>
              <span>
                <bdi>{issueLabel(part)}</bdi>
                <span className="quiet">
                  {part.shortId} · {countedNoun(part.eventCount, 'event')} · <Time at={part.lastSeenAt} />
                </span>
              </span>
              {part.isOwn || !canTriage ? null : (
                <button
                  type="submit"
                  className="button"
                  name="partIds"
                  value={part.id}
                  aria-label={`Unmerge ${part.shortId}`}
                >
                  Unmerge
                </button>
              )}
            </li>
          ))}
        </ul>
      </ActionForm>
    </Panel>
  )
}
