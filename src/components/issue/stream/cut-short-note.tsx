import type { IssueListView } from '#server/console/issues/views.ts'

/** Where a page ended before all issues were looked through. */
export function CutShortNote({ cutShort }: { cutShort: IssueListView['cutShort'] }) {
  return cutShort === undefined ? null : (
    <p className="list-note">Search stopped early; continue on the {cutShort} page.</p>
  )
}
