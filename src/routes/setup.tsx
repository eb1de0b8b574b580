import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { OwnerSetupPage } from '#components/account/setup-page.tsx'
import { setupQuery } from '#queries/account.ts'
import { setupSearch } from '#server/console/account/account.search.ts'
import { pageRoute } from './-frame/page-route.ts'

export const Route = createFileRoute('/setup')({
  staticData: { isPublic: true },
  validateSearch: setupSearch,
  loaderDeps: ({ search: { token } }) => ({ token }),
  ...pageRoute('Setup', setupQuery),
  component: SetupScreen,
})

function SetupScreen() {
  const { token = '' } = Route.useSearch()
  const { data } = useSuspenseQuery(setupQuery({ token }))
  return <OwnerSetupPage view={data} token={token} />
}
