import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { IssueDetail } from '#components/issue/detail/detail.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { issueQuery } from '#queries/issues/list.ts'
import { useLiveIssue } from '#queries/issues/use-live-issue.ts'
import { useIssueRead } from '#queries/use-issue-read.ts'
import { useIssueActions } from '#routes/-frame/issue-actions.tsx'
import { pageHead } from '#routes/-frame/page-title.ts'
import { issueViewSearch } from '#server/console/events/view.search.ts'

const LateCountsNotice = lazy(async () => ({
  default: (await import('#routes/-frame/late-counts-notice.tsx')).LateCountsNotice,
}))

export const Route = createFileRoute('/issues/$issueId')({
  validateSearch: issueViewSearch,
  loader: (load) => loadPageData(load, issueQuery(load.params.issueId, load.location.search)),
  head: (page) => pageHead(page.loaderData?.issue.title ?? 'Issue', page),
  component: IssueScreen,
})

function IssueScreen() {
  const { issueId } = Route.useParams()
  const shown = Route.useSearch()
  const { data } = useSuspenseQuery(issueQuery(issueId))
  const actions = useIssueActions()
  useIssueRead(data.issue.id)
  const removal = useLiveIssue(issueId)
  const { countsDelayMs } = data
  const { queryKey } = issueQuery(issueId)
  const late = countsDelayMs && <LateCountsNotice delayMs={countsDelayMs} queryKey={queryKey} />
  return <IssueDetail view={data} removal={removal} late={late} shown={shown} actions={actions} />
}
