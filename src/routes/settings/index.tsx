import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { AccountSettings } from '#components/settings/account-settings.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { accountSettingsQuery } from '#queries/settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/settings/')({
  loader: (load) => loadPageData(load, accountSettingsQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Account') }] }),
  component: AccountScreen,
})

function AccountScreen() {
  const { data } = useSuspenseQuery(accountSettingsQuery())
  return <AccountSettings view={data} />
}
