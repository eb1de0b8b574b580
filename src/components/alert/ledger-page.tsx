import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Trail } from '#components/layout/trail.tsx'
import { Link } from '#components/ui/link.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { LedgerView } from '#server/console/alerts/views.ts'
import { LedgerList } from './ledger-list.tsx'
import '#styles/settings.css'

/** The `/alerts` screen: the decisions of rules, with the result of each message. */
export function LedgerPage({
  view: { now, dayCount, isOfRule, isOfMessage, entries },
}: {
  view: LedgerView
}) {
  return (
    <NowProvider now={now}>
      {isOfRule || isOfMessage ? (
        <Trail>
          <Link to="/alerts" search={{}} activeOptions={{ exact: true }} data-shortcut="back">
            All decisions
          </Link>
        </Trail>
      ) : null}
      <PageHeader
        title="Alerts"
        description={`Decisions ${isOfMessage ? 'in one message' : isOfRule ? 'of one rule' : 'of your alert rules'}${isOfMessage ? '' : ` in the last ${dayCount} days`}. The Alerts tab of an issue shows why a rule did not fire.`}
      />
      {entries.length === 0 ? (
        <EmptyState title="No decisions">
          <p>
            {isOfMessage
              ? 'The decisions in this message have been deleted, or belong to projects that you have no access to.'
              : 'No rule matched in this period. Each project has its alert rules in its settings.'}
          </p>
          {isOfMessage ? null : (
            <Link to="/projects" search={{}} className="button">
              Go to the projects
            </Link>
          )}
        </EmptyState>
      ) : (
        <LedgerList entries={entries} hasIssues />
      )}
    </NowProvider>
  )
}
