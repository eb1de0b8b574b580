import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordPage } from '#components/account/forgot-password-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { loginQuery } from '#queries/account.ts'
import { pageTitle } from './-frame/page-title.ts'

export const Route = createFileRoute('/forgot-password')({
  staticData: { isPublic: true },
  loader: (load) => loadPageData(load, loginQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Forgot password?') }] }),
  component: ForgotPasswordScreen,
})

function ForgotPasswordScreen() {
  const { data } = useSuspenseQuery(loginQuery())
  return <ForgotPasswordPage view={data} />
}
