import {
  fetchDestinations,
  fetchIssueAlerts,
  fetchLedger,
  fetchUnsubscription,
} from '#server/console/alerts/alerts.functions.ts'
import { pageQueryFor } from './page-query.ts'

/** The decisions of rules in the last days: a live page. */
export function ledgerQuery(search: { rule?: string | undefined; message?: string | undefined }) {
  return pageQueryFor(['alerts'], fetchLedger, search)
}

/** The messages about an issue: a live page. */
export function issueAlertsQuery(issueId: string) {
  return pageQueryFor(['issue-alerts'], fetchIssueAlerts, { issueId })
}

/** The subscription of an unsubscribe link. */
export function unsubscriptionQuery(token: string) {
  return pageQueryFor(['unsubscribe'], fetchUnsubscription, { token })
}

/** The destinations of alerts, and the fields of a new one. */
export function destinationsQuery(search: { channel?: string | undefined }) {
  return pageQueryFor(['settings', 'destinations'], fetchDestinations, search)
}
