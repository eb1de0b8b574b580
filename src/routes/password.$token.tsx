import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { PasswordLinkPage } from '#components/account/password-link-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { passwordLinkQuery } from '#queries/account.ts'
import { pageHead } from './-frame/page-title.ts'

export const Route = createFileRoute('/password/$token')({
  staticData: { isPublic: true },
  loader: (load) => loadPageData(load, passwordLinkQuery(load.params.token)),
  head: () => pageHead('New password'),
  component: PasswordLinkScreen,
})

function PasswordLinkScreen() {
  const { token } = Route.useParams()
  const { data } = useSuspenseQuery(passwordLinkQuery(token))
  return <PasswordLinkPage view={data} />
}
