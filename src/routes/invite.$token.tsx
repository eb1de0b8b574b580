import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { InvitePage } from '#components/account/invite-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { inviteQuery } from '#queries/account.ts'
import { pageHead } from './-frame/page-title.ts'

export const Route = createFileRoute('/invite/$token')({
  staticData: { isPublic: true },
  loader: (load) => loadPageData(load, inviteQuery(load.params.token)),
  head: () => pageHead('Invitation'),
  component: InviteScreen,
})

function InviteScreen() {
  const { token } = Route.useParams()
  const { data } = useSuspenseQuery(inviteQuery(token))
  return <InvitePage view={data} path={`/invite/${token}`} />
}
