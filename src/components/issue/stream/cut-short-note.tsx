import type { IssueListView } from '#server/console/issues/views.ts'

/** The note on a scan-limited page. */
export function CutShortNote({ cutShort }: { cutShort: IssueListView['cutShort'] }) {
  return cutShort === undefined ? null : (
    <p className="list-note">Search stopped early; continue on the {cutShort} page.</p>
  )
}
