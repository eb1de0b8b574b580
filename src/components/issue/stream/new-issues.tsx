import { exactCount } from '#numbers/number-text.ts'

interface NewIssuesProps {
  count: number
  /** There are more than one page. */
  isMore: boolean
  onShow: () => void
}

/** Announces new issues above the list. The list does not move before the button is pressed. */
export function NewIssues({ count, isMore, onShow }: NewIssuesProps) {
  const text =
    count === 1 && !isMore ? '1 new issue ·' : `${exactCount(count)}${isMore ? '+' : ''} new issues ·`
  return (
    <button type="button" onClick={onShow} data-shortcut="show-new">
      {text} <span className="new-issues-verb">Show</span>
    </button>
  )
}
