import {
  fetchDestinations,
  fetchIssueAlerts,
  fetchLedger,
  fetchUnsubscription,
} from '#server/console/alerts/alerts.functions.ts'
import { pageQuery } from './page-query.ts'

/** The decisions of rules in the last days: a live page. */
export function ledgerQuery(search: { rule?: string | undefined; message?: string | undefined }) {
  return pageQuery('live', ['alerts', search.rule ?? '', search.message ?? ''], ({ signal }) =>
    fetchLedger({ data: search, signal }),
  )
}

/** The messages about an issue: a live page. */
export function issueAlertsQuery(issueId: string) {
  return pageQuery('live', ['issue-alerts', issueId], ({ signal }) =>
    fetchIssueAlerts({ data: { issueId }, signal }),
  )
}

/** The subscription of an unsubscribe link. */
export function unsubscriptionQuery(token: string) {
  return pageQuery('live', ['unsubscribe', token], ({ signal }) =>
    fetchUnsubscription({ data: { token }, signal }),
  )
}

/** The destinations of alerts, and the fields of a new one. */
export function destinationsQuery(search: { channel?: string | undefined }) {
  return pageQuery('live', ['settings', 'destinations', search.channel ?? ''], ({ signal }) =>
    fetchDestinations({ data: search, signal }),
  )
}
