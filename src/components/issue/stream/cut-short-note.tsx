import type { IssueListView } from '#server/console/issues/views.ts'

/** Where a page ended before all issues were looked through. */
export function CutShortNote({ cutShort }: { cutShort: IssueListView['cutShort'] }) {
  return cutShort === undefined ? null : (
    <p className="list-note">Not all issues have been looked through yet: the {cutShort} page goes on.</p>
  )
}
