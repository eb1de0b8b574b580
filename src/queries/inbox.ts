import { fetchInbox, fetchNotificationSettings } from '#server/console/alerts/alerts.functions.ts'
import { pageQuery, pageQueryFor } from './page-query.ts'

/** The viewer's inbox: a live page. */
export function inboxQuery(search: { show?: 'all' | undefined }) {
  return pageQueryFor(['inbox'], fetchInbox, search)
}

/** The viewer's notification preferences. */
export function notificationSettingsQuery() {
  return pageQuery(['settings', 'notifications'], fetchNotificationSettings)
}
