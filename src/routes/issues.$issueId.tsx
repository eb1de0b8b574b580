import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { IssueDetail } from '#components/issue/issue-detail.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { issueAssigneeMutation } from '#queries/issue-assignee.ts'
import { issueStatusMutation } from '#queries/issue-status.ts'
import { issueQuery } from '#queries/issues.ts'
import { useMutationForm } from '#queries/mutation-form.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/issues/$issueId')({
  loader: (load) => loadPageData(load, issueQuery(load.params.issueId)),
  ...routeTimes('live'),
  head: ({ loaderData }) => ({ meta: [{ title: pageTitle(loaderData?.issue.title ?? 'Issue') }] }),
  component: IssueScreen,
})

function IssueScreen() {
  const { issueId } = Route.useParams()
  const { data } = useSuspenseQuery(issueQuery(issueId))
  const actions = {
    status: useMutationForm(issueStatusMutation),
    assignee: useMutationForm(issueAssigneeMutation),
  }
  return <IssueDetail view={data} actions={actions} />
}
