import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Inbox } from '#components/alert/inbox.tsx'
import { useAction } from '#queries/changes/use-action.ts'
import { inboxAction } from '#queries/inbox-action.ts'
import { inboxQuery } from '#queries/inbox.ts'
import { inboxSearch } from '#server/console/alerts/inbox.search.ts'
import { pageRoute } from './-frame/page-route.ts'

export const Route = createFileRoute('/inbox')({
  validateSearch: inboxSearch,
  loaderDeps: ({ search }) => search,
  ...pageRoute('Inbox', inboxQuery),
  component: InboxScreen,
})

function InboxScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(inboxQuery(search))
  const action = useAction(inboxAction)
  return <Inbox view={data} isAll={search.show === 'all'} action={action} />
}
