import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { IssueDetail } from '#components/issue/issue-detail.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { issueQuery } from '#queries/issues.ts'
import { issueViewSearch } from '#server/console/event-view.search.ts'
import { useIssueActions } from './-issue-actions.tsx'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/issues/$issueId')({
  validateSearch: issueViewSearch,
  loader: (load) => loadPageData(load, issueQuery(load.params.issueId)),
  ...routeTimes('live'),
  head: ({ loaderData }) => ({ meta: [{ title: pageTitle(loaderData?.issue.title ?? 'Issue') }] }),
  component: IssueScreen,
})

function IssueScreen() {
  const { issueId } = Route.useParams()
  const shown = Route.useSearch()
  const { data } = useSuspenseQuery(issueQuery(issueId))
  const actions = useIssueActions()
  return <IssueDetail view={data} shown={shown} actions={actions} />
}
