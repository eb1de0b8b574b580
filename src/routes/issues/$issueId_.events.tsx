import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { IssueEvents } from '#components/issue-events/issue-events.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { issueEventsQuery } from '#queries/issues/events.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'
import { issueEventsSearch } from '#server/console/issues/issue-events.search.ts'

export const Route = createFileRoute('/issues/$issueId_/events')({
  validateSearch: issueEventsSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, issueEventsQuery(load.params.issueId, load.deps)),
  ...routeTimes('live'),
  head: ({ loaderData }) => ({
    meta: [{ title: pageTitle(`Events of ${loaderData?.issue.shortId ?? 'an issue'}`) }],
  }),
  component: IssueEventsScreen,
})

function IssueEventsScreen() {
  const { issueId } = Route.useParams()
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(issueEventsQuery(issueId, search))
  return <IssueEvents view={data} search={search} />
}
