import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { IssueDetail } from '#components/issue/issue-detail.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { issueAssigneeMutation } from '#queries/issue-assignee.ts'
import { issueCommentMutation } from '#queries/issue-comment.ts'
import { issueDeleteMutation, issueMergeMutation, issueUnmergeMutation } from '#queries/issue-merge.ts'
import { issueStatusMutation } from '#queries/issue-status.ts'
import { issueQuery } from '#queries/issues.ts'
import { useMutationForm } from '#queries/mutation-form.ts'
import { issueViewSearch } from '#server/console/event-view.search.ts'
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
  const actions = {
    status: useMutationForm(issueStatusMutation),
    assignee: useMutationForm(issueAssigneeMutation),
    merge: useMutationForm(issueMergeMutation),
    unmerge: useMutationForm(issueUnmergeMutation),
    delete: useMutationForm(issueDeleteMutation),
    comment: useMutationForm(issueCommentMutation),
  }
  return <IssueDetail view={data} shown={shown} actions={actions} />
}
