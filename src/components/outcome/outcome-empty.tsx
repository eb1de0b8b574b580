import { Link } from '@tanstack/react-router'
import { EmptyState } from '#components/layout/empty-state.tsx'
import { SetUpLink } from '#components/project/set-up-link.tsx'
import type { OutcomePeriod } from '#server/console/outcomes/views.ts'
import { changeOutcomeSearch, periodNames } from './outcome-search.ts'
import type { OutcomeSearch } from './outcome-search.ts'

/** A period in which nothing was sent: what will stand here, and the next step. */
export function NoOutcomes({ search, period }: { search: OutcomeSearch; period: OutcomePeriod }) {
  return (
    <EmptyState title={`Nothing came in within ${periodNames[period]}`}>
      <p>
        As soon as an SDK sends something, this page counts what became of it: how much was accepted, how much
        was filtered, refused or lost before it was sent, and for which reason.
      </p>
      {period === '30d' ? (
        <SetUpLink slug={search.project} />
      ) : (
        <Link to="/outcomes" search={changeOutcomeSearch(search, { period: '30d' })} className="button">
          Show 30 days
        </Link>
      )}
    </EmptyState>
  )
}
