import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchIssueAlerts, fetchLedger } from '#server/console/alerts/alerts.functions.ts'

/** What rules decided in the last days: a live page. */
export function ledgerQuery() {
  return queryOptions({
    queryKey: ['alerts'],
    queryFn: ({ signal }) => fetchLedger({ signal }),
    ...queryTimes('live'),
  })
}

/** Who was told about an issue: a live page. */
export function issueAlertsQuery(issueId: string) {
  return queryOptions({
    queryKey: ['issue-alerts', issueId],
    queryFn: ({ signal }) => fetchIssueAlerts({ data: { issueId }, signal }),
    ...queryTimes('live'),
  })
}
