import { Link } from '#components/ui/link.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { FormResult } from '#server/forms/form-views.ts'

/** The result of a dry run, below the form of the rule. */
export function DryRunResult({ shown, ruleId }: { shown: FormResult | undefined; ruleId: string }) {
  if (shown?.kind !== 'alert-dry-run' || shown.ruleId !== ruleId) return <div role="status" />
  const { dayCount, sentCount, heldCount, unreceivedCount, transitionCount, isCut, topIssues } = shown.run
  const looked = `${isCut ? 'the newest ' : ''}${countedNoun(transitionCount, 'transition')}`
  return (
    <div role="status" className="dry-run">
      <p>
        {sentCount === 0
          ? `In the last ${dayCount} days this rule would have sent no alert for ${looked}.`
          : `In the last ${dayCount} days this rule would have sent ${countedNoun(sentCount, 'alert')} for ${looked}.`}
        {heldCount === 0 ? null : ` Throttle, quiet hours and mutes would have suppressed ${heldCount} more.`}
        {unreceivedCount === 0 ? null : ` ${unreceivedCount} more would have had no receiver.`}
      </p>
      {topIssues.length === 0 ? null : (
        <ol>
          {topIssues.map(({ id, title, count }) => (
            <li key={id ?? title}>
              {count} × <TopIssue id={id} title={title} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function TopIssue({ id, title }: { id?: string | undefined; title: string }) {
  if (id === undefined) return <bdi>{title}</bdi>
  return (
    <Link to="/issues/$issueId" params={{ issueId: id }}>
      <bdi>{title}</bdi>
    </Link>
  )
}
