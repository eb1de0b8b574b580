import { IssueHeader } from '#components/issue/detail/header.tsx'
import { TagDistributionTable } from '#components/issue/detail/tag-distribution-table.tsx'
import { EmptyState } from '#components/layout/empty-state.tsx'
import { Link } from '#components/ui/link.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { IssueRemoval, IssueTagsView } from '#server/console/issues/views.ts'
import { IssuePages } from './issue-pages.tsx'

/** The `/issues/$issueId/tags` screen: every tag of an issue's events, or every value of one. */
export function IssueTags({
  view,
  search,
  removal,
}: {
  view: IssueTagsView
  search: { key?: string | undefined }
  /** Set if the issue was merged or not found while the page was open. */
  removal: IssueRemoval | undefined
}) {
  const { issue, tags } = view
  return (
    <NowProvider now={view.now}>
      <div className="issue-top">
        <IssueHeader issue={issue} removal={removal} />
        <IssuePages issueId={issue.id} current="tags" />
      </div>
      {search.key === undefined ? null : (
        <p className="list-note">
          <Link
            to="/issues/$issueId/tags"
            params={{ issueId: issue.id }}
            search={{}}
            activeOptions={{ exact: true }}
          >
            All tags
          </Link>
        </p>
      )}
      {tags.length === 0 ? (
        <EmptyState title={search.key === undefined ? 'No tags' : 'Tag not found'}>
          <p>The events of this issue have no {search.key === undefined ? 'tags' : 'tag of that name'}.</p>
        </EmptyState>
      ) : (
        <div className="tag-tables" data-single={search.key === undefined ? undefined : true}>
          {tags.map((tag) => (
            <TagDistributionTable key={tag.key} issueId={issue.id} tag={tag} />
          ))}
        </div>
      )}
    </NowProvider>
  )
}
