import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { movedPageHref } from '#server/console/issues/moved-issue.ts'
import { orNotFound, sendTo } from '#server/router.ts'
import { destinationsSearch } from './destinations.search.ts'
import { getDestinationsView } from './destinations.ts'
import { inboxSearch } from './inbox.search.ts'
import { getInboxView } from './inbox.ts'
import { ledgerSearch } from './ledger.search.ts'
import { findIssueAlertsView, getLedgerView } from './ledger.ts'
import { getNotificationSettingsView } from './notification-settings.ts'
import { getUnsubscriptionView } from './unsubscribe.ts'

/** The viewer's inbox. */
export const fetchInbox = signedInFn()
  .validator(inboxSearch)
  .handler(({ data, context }) => getInboxView(context.services, context.viewer, data))

/** The viewer's notification preferences. */
export const fetchNotificationSettings = signedInFn().handler(({ context }) =>
  getNotificationSettingsView(context.services, context.viewer),
)

/** The user whose mails a link ends. Public to holders of the link. */
export const fetchUnsubscription = createServerFn({ method: 'GET' })
  .validator(v.object({ token: v.pipe(v.string(), v.maxLength(300)) }))
  .handler(({ data, context }) => getUnsubscriptionView(context.services, data.token))

/** The destinations of alerts. */
export const fetchDestinations = signedInFn()
  .validator(destinationsSearch)
  .handler(({ data, context }) => getDestinationsView(context.services, context.viewer, data))

/** The decisions of rules in the last days. */
export const fetchLedger = signedInFn()
  .validator(ledgerSearch)
  .handler(({ data, context }) => getLedgerView(context.services, context.viewer, data))

/** The alerts of an issue, and the reasons why others were not sent; 404 if there is no such issue. */
export const fetchIssueAlerts = signedInFn()
  .validator(v.object({ issueId: v.pipe(v.string(), v.maxLength(60)) }))
  .handler(async ({ data: { issueId }, context: { services, viewer } }) => {
    const found = await orNotFound(findIssueAlertsView(services, viewer, issueId))
    return 'movedTo' in found ? sendTo(movedPageHref(found, '/alerts')) : found
  })
