import { useLayoutEffect, useRef } from 'react'
import { Link } from '#components/ui/link.tsx'
import type { IssueRemoval } from '#server/console/issues/views.ts'

/**
 * Reports that another user has merged or deleted the issue of an open page, which remains readable. Always
 * present, so that its text is announced. If the focused control was removed with the actions of the issue,
 * the link of the notice gets the focus.
 */
export function IssueRemovalNotice({ removal }: { removal: IssueRemoval | undefined }) {
  const notice = useRef<HTMLDivElement>(null)
  // Before the keyboard moves the focus to what replaced a removed form.
  useLayoutEffect(() => {
    if (removal === undefined || document.activeElement !== document.body) return
    notice.current?.querySelector('a')?.focus({ preventScroll: true })
  }, [removal])
  return (
    <div ref={notice} role="status">
      {removal === undefined ? null : <RemovalText removal={removal} />}
    </div>
  )
}

function RemovalText({ removal }: { removal: IssueRemoval }) {
  switch (removal.kind) {
    case 'merged': {
      const { issueId, shortId, title } = removal.into
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
