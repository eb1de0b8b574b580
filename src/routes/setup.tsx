import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { OwnerSetupPage } from '#components/account/setup-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { setupQuery } from '#queries/account.ts'
import { setupSearch } from '#server/console/account/account.search.ts'
import { pageTitle } from './-frame/page-title.ts'

export const Route = createFileRoute('/setup')({
  staticData: { isPublic: true },
  validateSearch: setupSearch,
  loaderDeps: ({ search: { token = '' } }) => ({ token }),
  loader: (load) => loadPageData(load, setupQuery(load.deps.token)),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Setup') }] }),
  component: SetupScreen,
})

function SetupScreen() {
  const { token = '' } = Route.useSearch()
  const { data } = useSuspenseQuery(setupQuery(token))
  return <OwnerSetupPage view={data} token={token} />
}
