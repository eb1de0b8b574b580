import { EmptyState } from '#components/layout/empty-state.tsx'
import { SetUpLink } from '#components/project/set-up-link.tsx'
import { Link } from '#components/ui/link.tsx'
import type { OutcomeSearch } from '#server/console/outcomes/outcomes.search.ts'
import type { OutcomePeriod } from '#server/console/outcomes/views.ts'
import { changeOutcomeSearch, outcomePeriodNames } from './outcome-search.ts'

/** The empty state of a period without items. */
export function NoOutcomes({ search, period }: { search: OutcomeSearch; period: OutcomePeriod }) {
  return (
    <EmptyState title={`Nothing received in ${outcomePeriodNames[period]}`}>
      <p>
        Once an SDK sends data, this page shows how much of it was accepted, filtered or rejected, and why.
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
