import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import {
  fetchDestinations,
  fetchIssueAlerts,
  fetchLedger,
  fetchUnsubscription,
} from '#server/console/alerts/alerts.functions.ts'

/** The decisions of rules in the last days: a live page. */
export function ledgerQuery(search: { rule?: string | undefined; message?: string | undefined }) {
  return queryOptions({
    queryKey: ['alerts', search.rule ?? '', search.message ?? ''],
    queryFn: ({ signal }) => fetchLedger({ data: search, signal }),
    ...queryTimes('live'),
  })
}

/** The messages about an issue: a live page. */
export function issueAlertsQuery(issueId: string) {
  return queryOptions({
    queryKey: ['issue-alerts', issueId],
    queryFn: ({ signal }) => fetchIssueAlerts({ data: { issueId }, signal }),
    ...queryTimes('live'),
  })
}

/** The subscription of an unsubscribe link. */
export function unsubscriptionQuery(token: string) {
  return queryOptions({
    queryKey: ['unsubscribe', token],
    queryFn: ({ signal }) => fetchUnsubscription({ data: { token }, signal }),
    ...queryTimes('live'),
  })
}

/** The destinations of alerts, and the fields of a new one. */
export function destinationsQuery(search: { channel?: string | undefined }) {
  return queryOptions({
    queryKey: ['settings', 'destinations', search.channel ?? ''],
    queryFn: ({ signal }) => fetchDestinations({ data: search, signal }),
    ...queryTimes('live'),
  })
}
