import { Link } from '#components/ui/link.tsx'
import type { IssueEnd } from '#server/console/issues/views.ts'

/**
 * Reports that another user has merged or deleted the issue of an open page, which remains readable. Always
 * present, so that its text is announced.
 */
export function IssueEndNotice({ end }: { end: IssueEnd | undefined }) {
  return <div role="status">{end === undefined ? null : <EndText end={end} />}</div>
}

function EndText({ end }: { end: IssueEnd }) {
  switch (end.kind) {
    case 'merged': {
      const { issueId, shortId, title } = end.into
      return (
        <p className="banner">
          This issue was merged into{' '}
          <Link to="/issues/$issueId" params={{ issueId }}>
            {shortId} <bdi>{title}</bdi>
          </Link>
          .
        </p>
      )
    }
    case 'missing':
  }
  return (
    <p className="banner">
      This issue was deleted, or you no longer have access to it.{' '}
      <Link to="/issues" search={{}}>
        Go to the issues
      </Link>
    </p>
  )
}
