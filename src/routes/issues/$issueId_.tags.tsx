import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { IssueTags } from '#components/issue-events/issue-tags.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { issueTagsQuery } from '#queries/issues/events.ts'
import { useLiveTags } from '#queries/issues/use-live-issue.ts'
import { pageHead } from '#routes/-frame/page-title.ts'
import { issueTagsSearch } from '#server/console/issues/issue-events.search.ts'

export const Route = createFileRoute('/issues/$issueId_/tags')({
  validateSearch: issueTagsSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, issueTagsQuery(load.params.issueId, load.deps)),
  head: (page) => pageHead(`Tags of ${page.loaderData?.issue.shortId ?? 'an issue'}`, page),
  component: IssueTagsScreen,
})

function IssueTagsScreen() {
  const { issueId } = Route.useParams()
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(issueTagsQuery(issueId, search))
  const removal = useLiveTags(issueId, search.key)
  return <IssueTags view={data} search={search} removal={removal} />
}
