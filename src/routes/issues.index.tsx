import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { IssueStream } from '#components/issue/issue-stream.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { issueAssigneeMutation } from '#queries/issue-assignee.ts'
import { issueMergeMutation, issuesDeleteMutation } from '#queries/issue-merge.ts'
import { issueStatusMutation } from '#queries/issue-status.ts'
import { issueListQuery } from '#queries/issues.ts'
import { useMutationForm } from '#queries/mutation-form.ts'
import { issueListSearch } from '#server/console/issues.search.ts'
import { pageTitle } from './-page-title.ts'

export const Route = createFileRoute('/issues/')({
  validateSearch: issueListSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, issueListQuery(load.deps)),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Issues') }] }),
  component: IssuesScreen,
})

function IssuesScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(issueListQuery(search))
  const deletion = useMutationForm(issuesDeleteMutation)
  const actions = {
    status: useMutationForm(issueStatusMutation),
    assignee: useMutationForm(issueAssigneeMutation),
    merge: useMutationForm(issueMergeMutation),
    ...(data.mayDelete && { delete: deletion }),
  }
  return <IssueStream view={data} search={search} actions={actions} />
}
