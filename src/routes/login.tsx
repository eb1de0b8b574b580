import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { LoginPage } from '#components/account/login-page.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { loginQuery } from '#queries/account.ts'
import { loginSearch } from '#server/console/account/account.search.ts'
import { pageRoute } from './-frame/page-route.ts'

export const Route = createFileRoute('/login')({
  staticData: { isPublic: true },
  validateSearch: loginSearch,
  ...pageRoute('Sign in', loginQuery),
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
