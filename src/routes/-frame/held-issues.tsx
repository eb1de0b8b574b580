import { NewIssues } from '#components/issue/stream/new-issues.tsx'
import { focusFirstRow } from '#navigation/first-row.ts'
import { useTabNews } from '#navigation/tab-news.ts'
import type { HeldIssues } from '#queries/issues/held-issues.ts'

/**
 * Announces the issues that a list holds back, on the page and in the browser's tab. Loaded when there are
 * some.
 */
export function HeldIssuesNotice({
  held: { count, isMore },
  showHeld,
}: {
  held: HeldIssues
  showHeld: () => void
}) {
  useTabNews(count)
  const show = () => {
    showHeld()
    focusFirstRow()
  }
  return <NewIssues count={count} isMore={isMore} onShow={show} />
}
