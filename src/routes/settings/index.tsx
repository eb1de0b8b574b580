import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { AccountSettings } from '#components/settings/account-settings.tsx'
import { accountSettingsQuery } from '#queries/settings.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'

export const Route = createFileRoute('/settings/')({
  ...pageRoute('Account', accountSettingsQuery),
  component: function AccountScreen() {
    return <AccountSettings view={useSuspenseQuery(accountSettingsQuery()).data} />
  },
})
