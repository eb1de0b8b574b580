import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { LoginPage } from '#components/account/login-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { loginQuery } from '#queries/account.ts'
import { loginSearch } from '#server/console/account/account.search.ts'
import { pageTitle } from './-frame/page-title.ts'

export const Route = createFileRoute('/login')({
  staticData: { isPublic: true },
  validateSearch: loginSearch,
  loader: (load) => loadPageData(load, loginQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Sign in') }] }),
  component: LoginScreen,
})

function LoginScreen() {
  const { step, to, error } = Route.useSearch()
  const { data } = useSuspenseQuery(loginQuery())
  return <LoginPage view={data} step={step} providerError={error} to={to} />
}
