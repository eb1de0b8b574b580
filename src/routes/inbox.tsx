import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Inbox } from '#components/alert/inbox.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { useAction } from '#queries/changes/use-action.ts'
import { inboxAction } from '#queries/inbox-action.ts'
import { inboxQuery } from '#queries/inbox.ts'
import { inboxSearch } from '#server/console/alerts/inbox.search.ts'
import { pageTitle } from './-frame/page-title.ts'

export const Route = createFileRoute('/inbox')({
  validateSearch: inboxSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, inboxQuery(load.deps)),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Inbox') }] }),
  component: InboxScreen,
})

function InboxScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(inboxQuery(search))
  const action = useAction(inboxAction)
  return <Inbox view={data} isAll={search.show === 'all'} action={action} />
}
