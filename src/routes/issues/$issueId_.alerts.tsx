import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { IssueAlerts } from '#components/alert/issue-alerts.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { issueAlertsQuery } from '#queries/alerts.ts'
import { pageHead } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/issues/$issueId_/alerts')({
  loader: (load) => loadPageData(load, issueAlertsQuery(load.params.issueId)),
  head: (page) => pageHead(`Alerts of ${page.loaderData?.issue.shortId ?? 'an issue'}`, page),
  component: IssueAlertsScreen,
})

function IssueAlertsScreen() {
  const { issueId } = Route.useParams()
  const { data } = useSuspenseQuery(issueAlertsQuery(issueId))
  return <IssueAlerts view={data} />
}
