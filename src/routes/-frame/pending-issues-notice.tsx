import { NewRows } from '#components/ui/new-rows.tsx'
import { focusFirstRow } from '#navigation/first-row.ts'
import { useTabBadge } from '#navigation/tab-badge.ts'
import type { PendingIssues } from '#queries/issues/pending-issues.ts'

/**
 * Announces new issues that the list does not show yet, on the page and in the browser's tab. Loaded only if
 * there are new issues.
 */
export function PendingIssuesNotice({
  pending: { count, isMore },
  showPending,
}: {
  pending: PendingIssues
  showPending: () => void
}) {
  useTabBadge(count)
  const show = () => {
    showPending()
    focusFirstRow()
  }
  return <NewRows count={count} isMore={isMore} name="issue" onShow={show} />
}
