import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { LoginPage } from '#components/account/login-page.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
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
  const fragment = useFragment()
  const target = to === undefined || to.includes('#') ? to : `${to}${fragment}`
  return <LoginPage view={data} step={step} providerError={error} to={target} />
}

/** The fragment of the requested address. Browsers keep it through the redirect to this page. */
function useFragment(): string {
  return useHydrated() ? window.location.hash : ''
}
