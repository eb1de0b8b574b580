import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { NotificationSettings } from '#components/alert/notification-settings.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { notificationSettingsQuery } from '#queries/inbox.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/settings/notifications')({
  loader: (load) => loadPageData(load, notificationSettingsQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Notifications') }] }),
  component: NotificationSettingsScreen,
})

function NotificationSettingsScreen() {
  const { data } = useSuspenseQuery(notificationSettingsQuery())
  return <NotificationSettings view={data} />
}
