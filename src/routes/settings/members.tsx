import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Members } from '#components/settings/members.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { membersQuery } from '#queries/settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/settings/members')({
  loader: (load) => loadPageData(load, membersQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Members') }] }),
  component: MembersScreen,
})

function MembersScreen() {
  const { data } = useSuspenseQuery(membersQuery())
  return <Members view={data} />
}
