import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { NotificationSettings } from '#components/alert/notification-settings.tsx'
import { notificationSettingsQuery } from '#queries/inbox.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'

export const Route = createFileRoute('/settings/notifications')({
  ...pageRoute('Notifications', notificationSettingsQuery),
  component: function NotificationSettingsScreen() {
    return <NotificationSettings view={useSuspenseQuery(notificationSettingsQuery()).data} />
  },
})
