import { fetchInbox, fetchNotificationSettings } from '#server/console/alerts/alerts.functions.ts'
import { pageQuery } from './page-query.ts'

/** The viewer's inbox: a live page. */
export function inboxQuery(search: { show?: 'all' | undefined }) {
  return pageQuery('live', ['inbox', search.show ?? 'unread'], ({ signal }) =>
    fetchInbox({ data: search, signal }),
  )
}

/** The viewer's notification preferences. */
export function notificationSettingsQuery() {
  return pageQuery('live', ['settings', 'notifications'], ({ signal }) =>
    fetchNotificationSettings({ signal }),
  )
}
