import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { AccountSettings } from '#components/settings/account-settings.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { accountSettingsQuery } from '#queries/settings.ts'
import { pagePosts } from '#server/auth/pages.form.ts'
import { settingsSearch } from '#server/console/account.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/settings/')({
  validateSearch: settingsSearch,
  server: { handlers: { POST: pagePosts.settings } },
  loader: (load) => loadPageData(load, accountSettingsQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Account') }] }),
  component: AccountScreen,
})

function AccountScreen() {
  const { done } = Route.useSearch()
  const { data } = useSuspenseQuery(accountSettingsQuery())
  return <AccountSettings view={data} {...(done !== undefined && { done })} />
}
