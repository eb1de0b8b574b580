import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchInbox, fetchNotificationSettings } from '#server/console/alerts/alerts.functions.ts'

/** The viewer's inbox: a live page. */
export function inboxQuery(search: { show?: 'all' | undefined }) {
  return queryOptions({
    queryKey: ['inbox', search.show ?? 'unread'],
    queryFn: ({ signal }) => fetchInbox({ data: search, signal }),
    ...queryTimes('live'),
  })
}

/** The viewer's notification preferences. */
export function notificationSettingsQuery() {
  return queryOptions({
    queryKey: ['settings', 'notifications'],
    queryFn: ({ signal }) => fetchNotificationSettings({ signal }),
    ...queryTimes('live'),
  })
}
