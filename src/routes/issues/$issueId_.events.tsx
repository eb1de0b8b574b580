import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { IssueEvents } from '#components/issue-events/issue-events.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { issueEventsQuery } from '#queries/issues/events.ts'
import { useLiveEvents } from '#queries/issues/use-live-issue.ts'
import { pageHead } from '#routes/-frame/page-title.ts'
import { issueEventsSearch } from '#server/console/issues/issue-events.search.ts'

const NewEventsNotice = lazy(async () => ({
  default: (await import('#routes/-frame/new-events-notice.tsx')).NewEventsNotice,
}))

export const Route = createFileRoute('/issues/$issueId_/events')({
  validateSearch: issueEventsSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, issueEventsQuery(load.params.issueId, load.deps)),
  head: (page) => pageHead(`Events of ${page.loaderData?.issue.shortId ?? 'an issue'}`, page),
  component: IssueEventsScreen,
})

function IssueEventsScreen() {
  const { issueId } = Route.useParams()
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(issueEventsQuery(issueId, search))
  const { removal, showPending } = useLiveEvents(issueId, search)
  const { pending } = data
  const notice = pending && <NewEventsNotice pending={pending} showPending={showPending} />
  return <IssueEvents view={data} search={search} removal={removal} notice={notice} />
}
